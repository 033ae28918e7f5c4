import { type RawBuilder, sql } from 'kysely'

/** True for all ids but the one named, for every one where none is; a column that is null is another. */
export const otherThan = (column: RawBuilder<unknown>, id: string | undefined): RawBuilder<boolean> =>
  id === undefined ? sql`true` : sql`${column} is distinct from ${id}::int8`
