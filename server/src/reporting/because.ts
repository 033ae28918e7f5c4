import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import type { Words } from './words.ts'

/** Why the verdict is what it is, in a sentence. */
export function becauseOf(words: Words, stats: MeasureStats): string {
  const coverage = stats.coveragePct === null ? words.dash : words.percent(shownCoverage(stats.coveragePct, 2))
  const gap = words.duration(stats.longestGap?.ms ?? 0)
  const out = words.duration(stats.aboveMs + stats.belowMs)
  return words.t(`because.${stats.verdict}`, { count: stats.excursions.count, out, coverage, gap })
}
