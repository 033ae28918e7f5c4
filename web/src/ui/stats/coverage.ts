/** Percent with one decimal, cut off rather than rounded: what is not complete must not read 100 %, nor something 0 %. */
export function shownCoverage(pct: number): number {
  if (pct > 0 && pct < 0.1) return 0.1
  return Math.floor(pct * 10 + 1e-9) / 10
}
