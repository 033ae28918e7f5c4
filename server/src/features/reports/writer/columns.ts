import { translate } from '../../../platform/i18n/i18n.ts'
import { timeFormat } from '../../../reporting/spreadsheet.ts'
import type { RunOrder } from './order.ts'

/** An instant, in ms, is told by the clocks of the zone. */
export type Cell = string | number | null | { at: number }

export interface Column {
  header: string
  width: number
  /** The format of a number in a spreadsheet. */
  numFmt?: string
}

const looks = {
  text: { width: 26 },
  short: { width: 16 },
  time: { width: 21, numFmt: timeFormat },
  number: { width: 14, numFmt: '0.00' },
  whole: { width: 12, numFmt: '0' },
  place: { width: 13, numFmt: '0.0000000' },
} as const

/** Columns by names below `reports:table`. */
export const columnsOf = (
  { locale, zone }: Pick<RunOrder, 'locale' | 'zone'>,
  names: readonly (readonly [string, keyof typeof looks])[],
): Column[] =>
  names.map(([name, look]) => ({ header: translate(locale, `reports:table.${name}`, { zone }), ...looks[look] }))

export const instantCell = (at: string | null): Cell => (at === null ? null : { at: Date.parse(at) })
/** Minutes, to a tenth. */
export const minutesCell = (ms: number): number => Math.round(ms / 6_000) / 10
