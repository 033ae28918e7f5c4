import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { Cadence } from '@isotherm/contract/reports.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { Rules } from '../../../domain/rules.ts'
import type { DeviceReportData } from '../../../reporting/device-report-data.ts'
import type { ReportAlarm } from '../../../reporting/report-alarm.ts'

/**
 * A sensor at its limit goes out and back in with every other reading: of more excursions (or alarms) than these a page and a
 * table say how many they leave out. The hash of the data is of all of them.
 */
export const maxLines = { ofDevice: 500, ofTable: 20_000 } as const

/** A file of a run; `book`: the sheets of an XLSX, each other part is a table of its own. */
export type Part = 'document' | 'book' | 'stats' | 'excursions' | 'alarms' | 'readings'
export interface Output {
  format: ReportFormat
  part: Part
  path: string
  /** The key of its public page. */
  key: string
}

/** The content of the first pages about a device. */
export interface DeviceOverview {
  id: string
  name: string
  tag: string | null
  type: string
  isPrivate: boolean
  /** The IMEIs of the hardware that measured in the period. */
  imeis: string[]
  stats: StatsOfDevice
}

/** How many readings it has in the period: what a report tells of, whether or not it lists them. */
export const readingsOf = ({ stats: { temperature, humidity } }: Pick<DeviceOverview, 'stats'>): number =>
  Math.max(temperature.count, humidity.count)

/** The order of a run; then comes a DeviceDetail of each device in turn. */
export interface RunOrder {
  locale: Locale
  zone: string
  name: string
  cadence: Cadence
  contents: ReportContents[]
  /** Its end is part of it. */
  period: Period
  issuedAt: number
  issuedBy: string
  verifyBase: string
  /** PNG of the company. */
  logo: Uint8Array | null
  devices: DeviceOverview[]
  outputs: Output[]
}

export interface DeviceDetail extends DeviceOverview, DeviceReportData {
  stats: StatsOfDevice
  company: string
  rules: Rules
  alarms: ReportAlarm[]
}

/** The written files; hashes in hex, in the order of the outputs. */
export interface Written {
  readings: number
  dataSha256: string
  files: { sha256: string; pages: number | null }[]
}
