import { formatNumber, noValue, thinSpace } from '../../../lib/numbers.ts'

/** "2 … 8 °C", "below 8 °C" as "… 8 °C"; an en dash without limits. */
export function limitsText(min: number | null, max: number | null, unit: string): string {
  if (min === null && max === null) return noValue
  const side = (value: number | null) => (value === null ? '' : formatNumber(value))
  return `${side(min)} … ${side(max)}`.trim().concat(thinSpace, unit)
}
