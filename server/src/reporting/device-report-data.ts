import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'

/** The content of a document about one device and one period, without its readings. Plain data: it goes to another process. */
export interface DeviceReportData {
  companyId: number
  deviceId: number
  locale: Locale
  zone: string
  period: Period
  /** The last instant whose readings are told: now, or what a lapsed licence hides. ms. */
  until: number
  limits: Chart['limits']
  stats: StatsOfDevice
  excursions: Excursion[]
  chart: Chart
}
