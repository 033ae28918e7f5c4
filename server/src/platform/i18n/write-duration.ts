import type { Locale } from '@isotherm/contract/common.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** "3 hr 12 min": the two largest parts of a duration. */
export function writeDuration(locale: Locale, ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000)
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    if (count > 0 || (name === 'second' && parts.length === 0)) parts.push(part(locale, count, name))
    else if (parts.length > 0) break
    rest -= count * size
    if (parts.length === 2) break
  }
  return parts.join(' ').replaceAll('\u202f', '\u00a0')
}

const part = (locale: Locale, value: number, name: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
