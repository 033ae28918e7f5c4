import { translate } from '../../../platform/i18n/i18n.ts'
import type { Row } from '../../../reporting/readings.ts'
import { type Cell, timeFormat as time } from '../../../reporting/spreadsheet.ts'
import { clockOf } from '../../../reporting/zone.ts'
import type { ReportContent } from '../content.ts'
import { judgeBy } from './readings.ts'

const hundredths = (value: number | null) => (value === null ? null : value / 100)
const degrees = (value: number | null) => (value === null ? null : value / 1e7)

/** Which hardware measured at an instant. */
const imeiAt = ({ hardware }: ReportContent, at: number): string =>
  hardware.findLast(({ from, to }) => from <= at && (to === null || at < to))?.imei ?? ''

/**
 * The columns of the readings as a spreadsheet has them. Instants are `Date`s in UTC, `wall` a `Date` whose UTC fields are
 * what the clocks of the zone showed.
 */
export function columnsOf(content: ReportContent) {
  const clock = clockOf(content.zone)
  const judge = judgeBy(content.rules)
  const word = (key: string) => translate(content.locale, `deviceReports:table.${key}`, { zone: content.zone })
  const state = (measure: 'temperature' | 'humidity', row: Row) => {
    const judged = judge(measure, row[measure], row.at)
    return judged === null ? '' : word(`states.${judged}`)
  }
  const wall = (row: Row) => new Date(clock.wallMs(row.at))
  const of = (name: string, width: number, value: (row: Row) => Cell, format?: string) => ({
    header: word(name),
    width,
    value,
    format,
  })
  return {
    iso: of('time', 30, (row) => clock.iso(row.at)),
    wall: of('time', 30, wall, time),
    offset: of('offset', 11, (row) => clock.offset(row.at)),
    utc: of('utc', 21, (row) => new Date(row.at), time),
    rest: [
      of('temperature', 17, (row) => hundredths(row.temperature), '0.00'),
      of('temperatureState', 22, (row) => state('temperature', row)),
      of('humidity', 15, (row) => hundredths(row.humidity), '0.00'),
      of('humidityState', 20, (row) => state('humidity', row)),
      of('battery', 12, (row) => row.battery),
      of('light', 12, (row) => row.light),
      of('latitude', 13, (row) => degrees(row.lat), '0.0000000'),
      of('longitude', 13, (row) => degrees(row.lon), '0.0000000'),
      of('received', 22, (row) => new Date(row.receivedAt), time),
      of('device', 24, () => content.device.name),
      of('imei', 18, (row) => imeiAt(content, row.at)),
    ],
  }
}
