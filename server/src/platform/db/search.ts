import { type RawBuilder, sql } from 'kysely'

/** The pattern of `ilike` that finds `text` anywhere; its %, _ and \ mean themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The letters and digits of a text in capitals, to be found by a `plateKey`: PO-17 by po 17. */
export const signsSql = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`regexp_replace(upper(${text}), '[^[:alnum:]]', '', 'g')`

/** Whether the digits of a text, of four or more, are a part of a phone number in the form E.164: however both are written. */
export function phoneSql(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < 4 ? sql<boolean>`false` : sql<boolean>`${column} like ${`%${digits}%`}`
}

/** Whether letters and digits, as `plateKey` leaves them of a text, are a part of the key of a plate. */
export const plateSql = (column: RawBuilder<unknown>, key: string): RawBuilder<boolean> =>
  key === '' ? sql<boolean>`false` : sql<boolean>`${column} like ${containing(key)}`
