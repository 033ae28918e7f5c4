import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { formatPercent } from '../../lib/numbers.ts'

type Covered = Pick<MeasureStats, 'coveragePct' | 'longestGap'>

/** "98.2 %"; null of a period without length. */
export const coverageText = ({ coveragePct: pct }: Pick<Covered, 'coveragePct'>): string | null =>
  pct === null ? null : formatPercent(shownCoverage(pct), pct === 100 || pct === 0 ? 0 : 1)

/** The longest time without a reading, where one did not hold until the next. */
export const gapOf = ({ coveragePct, longestGap }: Covered): MeasureStats['longestGap'] =>
  coveragePct !== null && coveragePct < 100 ? longestGap : null
