import type { MeasureStats } from '@isotherm/contract/stats.ts'
import type { ReportContent } from '../../content.ts'
import type { Digest } from '../readings.ts'
import type { Words } from '../words.ts'
import { isTold, verdictTone } from './cover.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import { type Field, table } from './table.ts'

/** Limits through the period, the statistics, and what earlier issues of this report said. */
export function figures(paper: Paper, content: ReportContent, digest: Digest) {
  printLimits(paper, content)
  printStats(paper, content)
  printIssues(paper, content, digest)
}

function printLimits(paper: Paper, { limits }: ReportContent) {
  const { t, clock, range } = paper.words
  heading(paper, t('limits.title'))
  if (limits.length === 0) return paragraph(paper, t('limits.none'))
  const half = textWidth / 4
  table(
    paper,
    [t('limits.from'), t('limits.to'), t('temperature'), t('humidity')].map((title) => ({ title, width: half })),
    limits.map((band) => [
      clock.minute(Date.parse(band.from)),
      clock.minute(Date.parse(band.to)),
      range(band.temperatureMinC, band.temperatureMaxC, '°C'),
      range(band.humidityMinPct, band.humidityMaxPct, '%'),
    ]),
  )
}

type Tell = (stats: MeasureStats, value: (value: number | null) => string) => string | Field

function printStats(paper: Paper, content: ReportContent) {
  const { words } = paper
  const { t } = words
  const told = (['temperature', 'humidity'] as const).filter((measure) => isTold(content, measure))
  const own = (textWidth - 150) / told.length
  heading(paper, t('stats.title'))
  table(
    paper,
    [{ title: '', width: 150 }, ...told.map((measure) => ({ title: t(measure), width: own }))],
    statsRows(words).map(([name, tell]) => [
      { text: name, color: dim },
      ...told.map((measure) =>
        tell(content.stats[measure], measure === 'temperature' ? (v) => words.celsius(v) : (v) => words.percent(v)),
      ),
    ]),
  )
  paragraph(paper, t('stats.note'), { size: 7 })
}

function statsRows(words: Words): [string, Tell][] {
  const { t, clock, dash, duration, percent, number } = words
  const at = (point: MeasureStats['min'], value: (value: number) => string) =>
    point ? t('stats.at', { value: value(point.value), at: clock.minute(Date.parse(point.at)) }) : dash
  const outside = (ms: number, color: string): string | Field =>
    ms > 0 ? { text: duration(ms), color, strong: true } : duration(0)
  const part = (found: MeasureStats['excursions']['longest']) =>
    found ? t('stats.at', { value: duration(found.ms), at: clock.minute(Date.parse(found.startAt)) }) : dash
  return [
    [t('stats.verdict'), (s) => ({ text: t(`verdict.${s.verdict}`), color: verdictTone[s.verdict], strong: true })],
    [t('stats.count'), (s) => number(s.count)],
    // Rounded down: 99.996 % is not everything.
    [t('stats.coverage'), (s) => (s.coveragePct === null ? dash : percent(Math.floor(s.coveragePct * 100) / 100))],
    [
      t('stats.gap'),
      (s) =>
        s.longestGap
          ? t('stats.at', { value: duration(s.longestGap.ms), at: clock.minute(Date.parse(s.longestGap.from)) })
          : dash,
    ],
    [t('stats.min'), (s, value) => at(s.min, value)],
    [t('stats.max'), (s, value) => at(s.max, value)],
    [t('stats.average'), (s, value) => value(s.average)],
    [t('stats.mkt'), (s, value) => mktOf(words, s, value)],
    [t('stats.within'), (s) => duration(s.withinMs)],
    [t('stats.above'), (s) => outside(s.aboveMs, tones.warm)],
    [t('stats.below'), (s) => outside(s.belowMs, tones.cold)],
    [t('stats.unjudged'), (s) => duration(s.unjudgedMs)],
    [t('stats.excursions'), (s) => number(s.excursions.count)],
    [t('stats.longest'), (s) => part(s.excursions.longest)],
    [t('stats.shortest'), (s) => part(s.excursions.shortest)],
  ]
}

function mktOf({ t, dash, number }: Words, { mkt }: MeasureStats, value: (value: number) => string): string {
  if (!mkt) return dash
  if (mkt.valueC === null) return t(`stats.mktNone.${mkt.reason ?? 'noData'}`)
  return t('stats.mktOf', { value: value(mkt.valueC), energy: number(mkt.activationKjPerMol, 3) })
}

function printIssues(paper: Paper, { earlier }: ReportContent, digest: Digest) {
  const { t, clock } = paper.words
  heading(paper, t('issues.title'), 30)
  if (earlier.length === 0) return paragraph(paper, t('issues.none'))
  const widths = [120, 172, 62, textWidth - 354]
  const titles = [t('issues.issued'), t('issues.by'), t('issues.data'), t('issues.since')]
  table(
    paper,
    titles.map((title, place) => ({ title, width: widths[place] ?? 0 })),
    earlier.map((issue) => {
      const isSame = issue.dataSha256 === digest.dataSha256
      return [
        clock.minute(issue.issuedAt),
        `${issue.issuedBy}\n${issue.key}`,
        isSame ? t('issues.same') : { text: t('issues.different'), color: tones.warning, strong: true },
        sinceOf(paper.words, issue, isSame),
      ]
    }),
  )
}

function sinceOf(
  { t, number }: Words,
  { arrived, changed }: ReportContent['earlier'][number],
  isSame: boolean,
): string {
  const parts = [
    ...(arrived > 0 ? [t('issues.arrived', { count: arrived, total: number(arrived) })] : []),
    ...(changed > 0 ? [t('issues.changed', { count: changed })] : []),
  ]
  if (parts.length > 0) return parts.join(' ')
  return t(isSame ? 'issues.nothing' : 'issues.other')
}
