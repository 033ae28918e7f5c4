import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { MeasureStats, Verdict } from '@isotherm/contract/stats.ts'
import type { DeviceReportData } from './device-report-data.ts'
import type { Words } from './words.ts'

export type Tone = 'ok' | 'warning' | 'warm' | 'cold' | 'none'
/** A text that stands out. */
export interface Toned {
  text: string
  tone: Tone
}
type Tell = (stats: MeasureStats, value: (value: number | null) => string) => string | Toned

export const verdictTone: Record<Verdict, Tone> = {
  inRange: 'ok',
  incomplete: 'warning',
  outOfRange: 'warm',
  noLimits: 'none',
  noData: 'none',
}

/** Whether a measure is worth telling: it was measured, or it should have been. */
export const isPrinted = (
  content: Pick<DeviceReportData, 'limits'> & { stats: { humidity: { count: number } } },
  measure: 'temperature' | 'humidity',
): boolean =>
  measure === 'temperature' ||
  content.stats.humidity.count > 0 ||
  content.limits.some(({ humidityMinPct, humidityMaxPct }) => humidityMinPct !== null || humidityMaxPct !== null)

/** The printed statistics of a measure, row by row. */
export function statsRows(words: Words): [string, Tell][] {
  const { t, time, dash, duration, percent, number } = words
  const at = (point: MeasureStats['min'], value: (value: number) => string) =>
    point ? t('stats.at', { value: value(point.value), at: time(point.at) }) : dash
  const outside = (ms: number, tone: Tone): string | Toned => (ms > 0 ? { text: duration(ms), tone } : duration(0))
  const part = (found: MeasureStats['excursions']['longest']) =>
    found ? t('stats.at', { value: duration(found.ms), at: time(found.startAt) }) : dash
  return [
    [t('stats.verdict'), (s) => ({ text: t(`verdict.${s.verdict}`), tone: verdictTone[s.verdict] })],
    [t('stats.count'), (s) => number(s.count)],
    // Rounded down: 99.996 % is not everything.
    [t('stats.coverage'), (s) => (s.coveragePct === null ? dash : percent(shownCoverage(s.coveragePct, 2)))],
    [
      t('stats.gap'),
      (s) => (s.longestGap ? t('stats.at', { value: duration(s.longestGap.ms), at: time(s.longestGap.from) }) : dash),
    ],
    [t('stats.min'), (s, value) => at(s.min, value)],
    [t('stats.max'), (s, value) => at(s.max, value)],
    [t('stats.average'), (s, value) => value(s.average)],
    [t('stats.mkt'), (s, value) => mktOf(words, s, value)],
    [t('stats.within'), (s) => duration(s.withinMs)],
    [t('stats.above'), (s) => outside(s.aboveMs, 'warm')],
    [t('stats.below'), (s) => outside(s.belowMs, 'cold')],
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
