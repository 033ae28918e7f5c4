import { translate } from '../../../platform/i18n/i18n.ts'
import { type Cell, type Head, timeFormat } from '../../../reporting/tables.ts'
import type { RunOrder } from './order.ts'

const looks = {
  text: { width: 26 },
  short: { width: 16 },
  time: { width: 21, numFmt: timeFormat },
  number: { width: 14, numFmt: '0.00' },
  whole: { width: 12, numFmt: '0' },
} as const

/** Columns by names below `reports:table`. */
export const columnsOf = (
  { locale, zone }: Pick<RunOrder, 'locale' | 'zone'>,
  names: readonly (readonly [string, keyof typeof looks])[],
): Head[] =>
  names.map(([name, look]) => ({ header: translate(locale, `reports:table.${name}`, { zone }), ...looks[look] }))

export const instantCell = (at: string | null): Cell => (at === null ? null : { at: Date.parse(at) })
/** Minutes, to a tenth. */
export const minutesCell = (ms: number): number => Math.round(ms / 6_000) / 10
