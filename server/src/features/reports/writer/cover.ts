import { rangeText } from '@isotherm/contract/range-text.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import { type Fact, factTable, issuedFact, periodText } from '../../../reporting/facts.ts'
import { heading, type Paper, paragraph, textWidth, tones } from '../../../reporting/paper.ts'
import { verdictTone } from '../../../reporting/stats-rows.ts'
import { type Field, table } from '../../../reporting/table.ts'
import { printTitle } from '../../../reporting/title.ts'
import { textOf } from '../../../reporting/words.ts'
import type { DeviceOverview, RunOrder } from './order.ts'

interface CoverFigures {
  key: string
  /** Readings in the period. */
  counted: number
  withReadings: boolean
}

/** The cover: company, contents, period, and the state of every device; devices out of range first. */
export function cover(paper: Paper, order: RunOrder, about: CoverFigures) {
  paper.newPage()
  printTitle(paper, {
    title: order.name,
    subtitle: textOf(order.locale)(`subtitle.${order.cadence}`),
    verifyUrl: `${order.verifyBase}${about.key}`,
  })
  printFacts(paper, order, about)
  printOverview(paper, order)
}

function printFacts(paper: Paper, order: RunOrder, { key, counted, withReadings }: CoverFigures) {
  const { words } = paper
  const t = textOf(order.locale)
  const out = order.devices.filter((device) => rankOf(device) === rank.outOfRange).length
  const rows: Fact[] = [
    [words.t('period'), periodText(words, order.period)],
    [words.t('zone'), order.zone],
    [t('devices'), t('devicesOut', { count: order.devices.length, out: words.number(out) })],
    [words.t('readings'), words.number(counted)],
    issuedFact(words, order),
    [words.t('id'), key],
  ]
  heading(paper, words.t('about'))
  factTable(paper, rows)
  if (order.contents.includes('readings') && !withReadings)
    paragraph(paper, t('tooManyReadings', { total: words.number(counted) }), { color: tones.warning })
}

const rank = { outOfRange: 0, incomplete: 1, noData: 2, noLimits: 3, inRange: 4 } as const
/** Out of range in either measure is out of range; else temperature decides. */
const rankOf = ({ stats: { temperature, humidity } }: DeviceOverview): number =>
  humidity.verdict === 'outOfRange' ? rank.outOfRange : rank[temperature.verdict]

function printOverview(paper: Paper, { devices, locale }: RunOrder) {
  const { words } = paper
  const t = textOf(locale)
  heading(paper, t('overview.title'), 60)
  const widths = [144, 82, 100, 58, 74, textWidth - 458]
  const columns = ['device', 'verdict', 'range', 'average', 'out', 'coverage'].map((name, index) => ({
    title: t(`overview.${name}`),
    width: widths[index] ?? 0,
  }))
  const sorted = devices.toSorted((a, b) => rankOf(a) - rankOf(b))
  const row = ({ name, tag, stats: { temperature, humidity } }: DeviceOverview): (string | Field)[] => {
    const outMs = temperature.aboveMs + temperature.belowMs
    const isHumid = humidity.verdict === 'outOfRange'
    return [
      [name, tag].filter(Boolean).join(' · '),
      {
        // Beside humidity that is not, temperature in range would read as all being well.
        text: [
          ...(isHumid && temperature.verdict === 'inRange' ? [] : [words.t(`verdict.${temperature.verdict}`)]),
          ...(isHumid ? [t('overview.humidityOut')] : []),
        ].join('\n'),
        color: tones[verdictTone[isHumid ? humidity.verdict : temperature.verdict]],
        strong: true,
      },
      temperature.min && temperature.max
        ? rangeText(words.number(temperature.min.value, 2), words.celsius(temperature.max.value))
        : words.dash,
      words.celsius(temperature.average),
      outMs > 0 ? { text: words.duration(outMs), color: tones.warm } : words.dash,
      temperature.coveragePct === null ? words.dash : words.percent(shownCoverage(temperature.coveragePct), 1),
    ]
  }
  table(paper, columns, sorted.map(row))
  paragraph(paper, words.t('stats.note'), { size: 7 })
}
