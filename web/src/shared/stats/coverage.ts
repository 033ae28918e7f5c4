import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { formatPercent } from '../../lib/numbers.ts'

/** Percent with one decimal, cut off rather than rounded: what is not complete must not read 100 %, nor something 0 %. */
export function shownCoverage(pct: number): number {
  if (pct > 0 && pct < 0.1) return 0.1
  return Math.floor(pct * 10 + 1e-9) / 10
}

type Covered = Pick<MeasureStats, 'coveragePct' | 'longestGap'>

/** "98.2 %"; null of a period without length. */
export const coverageText = ({ coveragePct: pct }: Covered): string | null =>
  pct === null ? null : formatPercent(shownCoverage(pct), pct === 100 || pct === 0 ? 0 : 1)

/** The longest time without a reading, where one did not hold until the next. */
export const gapOf = ({ coveragePct, longestGap }: Covered): MeasureStats['longestGap'] =>
  coveragePct !== null && coveragePct < 100 ? longestGap : null
