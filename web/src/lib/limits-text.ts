import { rangeText } from '@isotherm/contract/range-text.ts'
import { formatNumber, noValue, thinSpace } from './numbers.ts'

/** "2–8 °C", "≤ 8 °C"; an en dash without limits. */
export function limitsText(min: number | null, max: number | null, unit: string): string {
  if (min === null && max === null) return noValue
  const side = (value: number | null) => (value === null ? null : formatNumber(value))
  return `${rangeText(side(min), side(max))}${thinSpace}${unit}`
}
