import { timeFormat } from '@isotherm/contract/times.ts'
import { currentLocale } from '../lib/i18n.ts'
import { formatNumber } from '../lib/numbers.ts'
import { formatClock } from '../lib/times.ts'
import type { Writing } from './chart-input.ts'

/** Writes axes in the reader's language and in a zone. */
export function writingIn(zone: string): Writing {
  const date = timeFormat(currentLocale(), zone, { day: 'numeric', month: 'short' })
  return {
    number: formatNumber,
    clock: (at) => formatClock(at, zone),
    day: (at) => date.format(at),
  }
}
