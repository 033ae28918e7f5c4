import type { Period } from '@isotherm/contract/common.ts'
import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { Meta } from '@isotherm/contract/paging.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import type { Context } from '../../platform/http/context.ts'

/** The data of a report, as the calls of other features answer it: a report and a screen never differ. The app hands it in. */
export interface ReportSources {
  stats(ctx: Context, id: string, period: Period): Promise<StatsOfDevice>
  chart(ctx: Context, id: string, period: Period): Promise<Chart>
  excursions(ctx: Context, id: string, period: Period, page: number): Promise<{ data: Excursion[]; meta: Meta }>
  alarms(ctx: Context, id: string, period: Period, page: number): Promise<{ data: Trigger[]; meta: Meta }>
}
