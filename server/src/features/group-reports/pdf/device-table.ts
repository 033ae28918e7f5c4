import { percentDecimals } from '@isotherm/contract/decimals.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { heading, type Paper, paragraph, textWidth, tones } from '../../../reporting/paper.ts'
import { verdictTone } from '../../../reporting/stats-rows.ts'
import { type Column, type Field, table } from '../../../reporting/table.ts'
import { rowsOf as measureRowsOf } from '../columns.ts'
import type { GroupReportContent } from '../content.ts'

const widths = [100, 62, 47, 47, 47, 47, 54, 58]
const names = ['device', 'verdict', 'lowest', 'average', 'highest', 'mkt', 'excursions', 'timeOut', 'coverage']

/** A row per device and measure, by name: what its period comes to. */
export function deviceTable(paper: Paper, content: GroupReportContent) {
  const own = (key: string) => translate(content.locale, `groupReports:document.${key}`)
  heading(paper, own('devices'), 40)
  if (content.devices.length === 0) return paragraph(paper, own('noDevices'))
  const left = textWidth - widths.reduce((sum, width) => sum + width, 0)
  const columns = names.map(
    (name, index): Column => ({
      title: own(`columns.${name}`),
      width: widths[index] ?? left,
      ...(index > 1 && { align: 'right' }),
    }),
  )
  table(paper, columns, rowsOf(paper, content))
  paragraph(paper, own('devicesNote'), { size: 7 })
}

function* rowsOf({ words }: Paper, content: GroupReportContent): Generator<(string | Field)[]> {
  for (const { part, measure } of measureRowsOf(content)) {
    const stats = part.stats[measure]
    const value = (number: number | null | undefined) =>
      measure === 'temperature' ? words.celsius(number) : words.percent(number, 0)
    // Beyond its limits, no value is rounded to them.
    const extreme = (point: MeasureStats['min']) =>
      measure === 'humidity' && (point?.judgement === 'above' || point?.judgement === 'below')
        ? words.percent(point.value, percentDecimals(point.value))
        : value(point?.value)
    const name = measure === 'temperature' ? part.device.name : `${part.device.name} · ${words.t('humidity')}`
    yield [
      { text: name, strong: measure === 'temperature' },
      verdictOf(words.t, stats),
      extreme(stats.min),
      value(stats.average),
      extreme(stats.max),
      measure === 'temperature' ? value(stats.mkt?.valueC) : words.dash,
      words.number(stats.excursions.count),
      isJudged(stats) ? words.duration(stats.aboveMs + stats.belowMs) : words.dash,
      stats.coveragePct === null ? words.dash : words.percent(shownCoverage(stats.coveragePct), 1),
    ]
  }
}

/** Zero would read as proof where there was nothing to judge, or to judge by. */
const isJudged = ({ verdict }: MeasureStats) => verdict !== 'noData' && verdict !== 'noLimits'

function verdictOf(t: (key: string) => string, { verdict, aboveMs, belowMs }: MeasureStats): Field {
  const tone = verdict === 'outOfRange' && belowMs > aboveMs ? 'cold' : verdictTone[verdict]
  return { text: t(`verdict.${verdict}`), color: tones[tone], strong: true }
}
