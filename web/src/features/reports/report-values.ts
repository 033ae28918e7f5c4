import type { Locale } from '@isotherm/contract/common.ts'
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { Cadence, Report } from '@isotherm/contract/reports.ts'
import type { Chosen } from '../../ui/form/choose-many.tsx'

/** A report as its form has it. */
export interface ReportValues {
  name: string
  cadence: Cadence
  weekday: string
  monthDay: number | string
  time: string
  timezone: string
  devices: Chosen[]
  groups: Chosen[]
  contents: ReportContents[]
  formats: ReportFormat[]
  people: Chosen[]
  addresses: string[]
  /** Those of them that an Admin vouches for anew. */
  vouched: string[]
  locale: Locale
}

const named = ({ id, name }: { id: string; name: string }): Chosen => ({ id, label: name })

export const valuesOf = (report: Report): ReportValues => ({
  name: report.name,
  cadence: report.cadence,
  weekday: String(report.weekday),
  monthDay: report.monthDay,
  time: report.time,
  timezone: report.timezone,
  devices: report.devices.map(named),
  groups: report.groups.map(named),
  contents: report.contents,
  formats: report.formats,
  people: report.recipients.flatMap(({ userId, name, email }) =>
    userId ? [{ id: userId, label: name ?? email }] : [],
  ),
  addresses: report.recipients.flatMap(({ userId, email }) => (userId ? [] : [email])),
  vouched: [],
  locale: report.locale,
})

/** Monday at seven, by mail, in the words and the zone of who makes it. */
export const newValues = (zone: string, locale: Locale, seesAlarms: boolean): ReportValues => ({
  name: '',
  cadence: 'weekly',
  weekday: '1',
  monthDay: 1,
  time: '07:00',
  timezone: zone,
  devices: [],
  groups: [],
  contents: seesAlarms ? ['stats', 'charts', 'excursions', 'alarms'] : ['stats', 'charts', 'excursions'],
  formats: ['pdf'],
  people: [],
  addresses: [],
  vouched: [],
  locale,
})

const idsOf = (chosen: Chosen[]) => chosen.map(({ id }) => id)

/** The body of a new report. An empty number is left for the contract to complain about. */
export const bodyOf = (values: ReportValues) => ({
  name: values.name,
  cadence: values.cadence,
  weekday: Number(values.weekday),
  monthDay: Number(values.monthDay),
  time: values.time,
  timezone: values.timezone,
  deviceIds: idsOf(values.devices),
  groupIds: idsOf(values.groups),
  contents: values.contents,
  formats: values.formats,
  recipients: [
    ...idsOf(values.people).map((userId) => ({ userId })),
    ...values.addresses.map((email) => ({ email, ...(values.vouched.includes(email) && { vouched: true as const }) })),
  ],
  locale: values.locale,
})
