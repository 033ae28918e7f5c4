import { formatPercent, formatTemperature } from '../../lib/numbers.ts'
import { formatDate } from '../../lib/times.ts'

/** The value of a warning, "2026-01-31", "9.4 °C" or "12 %" of the server, as the person writes it; anything else as it is. */
export function writeWarningValue(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(`${value}T00:00:00Z`, 'UTC')
  const [, figure, unit] = /^(-?[\d.]+) (°C|%)$/.exec(value) ?? []
  if (figure === undefined) return value
  return unit === '%' ? formatPercent(Number(figure)) : formatTemperature(Number(figure))
}
