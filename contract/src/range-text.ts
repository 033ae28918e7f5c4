/** "2–8", "−25 – −15", "≥ 2", "≤ 8": limits that are written already, without their unit; one side may be open. */
export function rangeText(min: string | null, max: string | null): string {
  if (min === null) return `\u2264\u00a0${max ?? ''}`
  if (max === null) return `\u2265\u00a0${min}`
  const isNegative = [min, max].some((side) => /^[-\u2212]/.test(side))
  return isNegative ? `${min}\u00a0\u2013\u00a0${max}` : `${min}\u2013${max}`
}
