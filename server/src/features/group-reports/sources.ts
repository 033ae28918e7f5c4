import type { Period } from '@isotherm/contract/common.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { Group, GroupChart, GroupDevice, GroupTotals } from '@isotherm/contract/groups.ts'
import type { Meta } from '@isotherm/contract/paging.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { Measure } from '../../domain/measures.ts'
import type { Context } from '../../platform/http/context.ts'

/** The data of a group's report, as the calls of other features answer it: a report and a screen never differ. The app hands it in. */
export interface GroupReportSources {
  group(ctx: Context, id: string): Promise<Group>
  devices(ctx: Context, id: string, page: number): Promise<{ data: GroupDevice[]; meta: Meta }>
  totals(ctx: Context, id: string, period: Period, measure: Measure): Promise<GroupTotals>
  chart(ctx: Context, id: string, period: Period, measure: Measure): Promise<GroupChart>
  stats(ctx: Context, deviceId: string, period: Period): Promise<StatsOfDevice>
  excursions(ctx: Context, deviceId: string, period: Period, page: number): Promise<{ data: Excursion[]; meta: Meta }>
}
