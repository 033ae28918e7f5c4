import type { Rules } from '../domain/rules.ts'
import { translate } from '../platform/i18n/i18n.ts'
import { judgeBy, type Row } from './readings.ts'
import type { ReportHead } from './report-head.ts'
import { type Column, timeFormat } from './tables.ts'
import { clockOf } from './zone.ts'

const scaled = (value: number | null, by: number) => (value === null ? null : value / by)

/** The columns of a table with the readings of several devices. */
export function columnsOfDevice(
  head: Pick<ReportHead, 'locale' | 'zone'>,
  { name, rules }: { name: string; rules: Rules },
) {
  const { device, time, utc, values } = readingColumns(head, rules)
  return [device(name), time, utc, ...values]
}
export const noDevice = { name: '', rules: { temperature: [], humidity: [] } }

/** The columns of the readings of a device, by what they tell; `rules` judge each reading by the limits of its time. */
export function readingColumns({ locale, zone }: Pick<ReportHead, 'locale' | 'zone'>, rules: Rules) {
  const word = (key: string) => translate(locale, `deviceReports:table.${key}`, { zone })
  const judge = judgeBy(rules)
  const clock = clockOf(zone)
  const state = (measure: 'temperature' | 'humidity', row: Row) => {
    const judged = judge(measure, row[measure], row.at)
    return judged && word(`states.${judged}`)
  }
  const of = (name: string, width: number, value: Column<Row>['value'], numFmt?: string): Column<Row> => ({
    header: word(name),
    width,
    value,
    ...(numFmt && { numFmt }),
  })
  return {
    time: of('time', 30, ({ at }) => ({ at }), timeFormat),
    offset: of('offset', 11, ({ at }) => clock.offset(at)),
    utc: of('utc', 21, ({ at }) => ({ at, isUtc: true }), timeFormat),
    values: [
      of('temperature', 17, ({ temperature }) => scaled(temperature, 100), '0.00'),
      of('temperatureState', 22, (row) => state('temperature', row)),
      of('humidity', 15, ({ humidity }) => scaled(humidity, 100), '0.00'),
      of('humidityState', 20, (row) => state('humidity', row)),
      of('battery', 12, ({ battery }) => battery, '0'),
      of('light', 12, ({ light }) => light, '0'),
      of('latitude', 13, ({ lat }) => scaled(lat, 1e7), '0.0000000'),
      of('longitude', 13, ({ lon }) => scaled(lon, 1e7), '0.0000000'),
      of('received', 22, ({ receivedAt }) => ({ at: receivedAt, isUtc: true }), timeFormat),
    ],
    device: (name: string) => of('device', 26, () => name),
    imei: (imeiAt: (at: number) => string) => of('imei', 18, ({ at }) => imeiAt(at)),
  }
}
