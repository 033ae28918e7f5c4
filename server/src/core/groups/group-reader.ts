import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import type { Group, GroupChart, GroupDevice, GroupTotals } from '@isotherm/contract/groups.ts'
import type { Context } from '../../platform/context.ts'
import type { Drawing } from '../devices/device-reader.ts'

/** The data of one group as the screens show it; see DeviceReader. */
export interface GroupReader {
  group(ctx: Context, id: string): Promise<Group>
  /** The devices that the person sees in it, by name; the sample device only where it is alone. */
  devices(ctx: Context, id: string): Promise<GroupDevice[]>
  totals(ctx: Context, id: string, period: Period, measure: Measure): Promise<GroupTotals>
  chart(ctx: Context, id: string, drawing: Drawing & { measure: Measure }): Promise<GroupChart>
}
