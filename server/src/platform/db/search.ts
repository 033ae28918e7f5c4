import { type RawBuilder, sql } from 'kysely'

/** The pattern of `ilike` that finds `text` anywhere; its %, _ and \ mean themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The letters and digits of a text in capitals, to be found by a `plateKey`: PO-17 by po 17. */
export const signsSql = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`regexp_replace(upper(${text}), '[^[:alnum:]]', '', 'g')`
