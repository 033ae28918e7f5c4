import type { Period } from '@isotherm/contract/common.ts'
import type { Chart, DevicePath } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { Meta } from '@isotherm/contract/paging.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import type { StatsOfDevice, Verdict } from '@isotherm/contract/stats.ts'
import type { Context } from '../../platform/http/context.ts'

/** The data of a report, as the calls of other features answer it: a report and a screen never differ. The app hands it in. */
export interface ReportSources {
  device(ctx: Context, id: string): Promise<Device>
  stats(ctx: Context, id: string, period: Period): Promise<StatsOfDevice>
  excursions(ctx: Context, id: string, period: Period, page: number): Promise<{ data: Excursion[]; meta: Meta }>
  chart(ctx: Context, id: string, period: Period): Promise<Chart>
  path(ctx: Context, id: string, period: Period): Promise<DevicePath>
  /** A record as its page shows it, the worst of its devices' verdicts, and the devices whose measurements it tells of. */
  record(ctx: Context, id: string): Promise<{ record: RecordDetails; verdict: Verdict; deviceIds: number[] }>
  /** Whether the person sees a record. */
  seesRecord(ctx: Context, id: string): Promise<boolean>
}
