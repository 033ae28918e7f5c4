import { translate } from '../../../platform/i18n/i18n.ts'
import { type Fact, issuedFact, periodText } from '../../../reporting/facts.ts'
import type { Words } from '../../../reporting/words.ts'
import type { GroupReportContent } from '../content.ts'

/** Facts as name and value: subject, period and author. */
export function factRows(words: Words, content: GroupReportContent): Fact[] {
  const { t } = words
  const own = (key: string, values: Record<string, unknown> = {}) =>
    translate(content.locale, `groupReports:document.${key}`, values)
  const { limits } = content
  const ranges = limits && [
    words.range(limits.temperatureMinC, limits.temperatureMaxC, '°C'),
    words.range(limits.humidityMinPct, limits.humidityMaxPct, '%'),
  ]
  return [
    [t('company'), content.company],
    [own('group'), content.group],
    [own('devices'), words.number(content.devices.length)],
    [t('period'), periodText(words, content.period)],
    [t('zone'), content.zone],
    [own('limits'), ranges ? ranges.filter((range) => range !== words.dash).join(', ') || words.dash : words.dash],
    issuedFact(words, content),
  ]
}

/** The totals of the group, row by row: name, temperature, humidity. */
export function totalRows(words: Words, { totals, devices, locale }: GroupReportContent) {
  const own = (key: string) => translate(locale, `groupReports:document.${key}`)
  const printed = (['temperature', 'humidity'] as const).filter(
    (measure) => measure === 'temperature' || totals.humidity.readings > 0,
  )
  const value = (measure: 'temperature' | 'humidity', number: number | null) =>
    measure === 'temperature' ? words.celsius(number) : words.percent(number)
  const row = (key: string, of: (measure: 'temperature' | 'humidity') => string): [string, ...string[]] => [
    own(key),
    ...printed.map(of),
  ]
  return {
    printed,
    rows: [
      row('measuring', (m) => `${words.number(totals[m].measuring)} / ${words.number(devices.length)}`),
      row('outOfRange', (m) => words.number(totals[m].outOfRange)),
      row('lowest', (m) => value(m, totals[m].min)),
      row('average', (m) => value(m, totals[m].average)),
      row('highest', (m) => value(m, totals[m].max)),
      row('excursions', (m) => words.number(totals[m].excursions)),
      row('above', (m) => words.duration(totals[m].aboveMs)),
      row('below', (m) => words.duration(totals[m].belowMs)),
      row('readings', (m) => words.number(totals[m].readings)),
    ],
  }
}
