import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './transaction.ts'

/** Tags of a statement that runs at once: allRows<Row>(tx)`select ...`. */
type Tag<Answer> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Answer>

export const allRows =
  <Row>(tx: Tx): Tag<Row[]> =>
  async (text, ...values) =>
    (await sql<Row>(text, ...values).execute(tx)).rows

/** The first row, if there is one. */
export const firstRow =
  <Row>(tx: Tx): Tag<Row | undefined> =>
  async (text, ...values) =>
    (await allRows<Row>(tx)(text, ...values))[0]

/** The number that the statement calls `n`. */
export const countRows =
  (tx: Tx): Tag<number> =>
  async (text, ...values) =>
    (await firstRow<{ n: number }>(tx)(text, ...values))?.n ?? 0

interface Page {
  columns: RawBuilder<unknown>
  from: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /**
   * Columns that cost much, of the rows `of`: PostgreSQL makes `columns` of the pages before, too. `order` may name a column of the table or one
   * of `columns` then.
   */
  rest?: { of: string; columns: RawBuilder<unknown> }
}

/** A page of rows, and how many there are in all. `from` is followed by its conditions. */
export async function pageOfRows<Row>(
  tx: Tx,
  { page, perPage }: { page: number; perPage: number },
  { columns, from, order, rest }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const shown = sql`select ${columns} from ${from} order by ${order} limit ${perPage} offset ${(page - 1) * perPage}`
  const rows = await allRows<Row>(tx)`${
    rest
      ? sql`select ${sql.ref(rest.of)}.*, ${rest.columns} from (${shown}) as ${sql.ref(rest.of)} order by ${order}`
      : shown
  }`
  return { rows, total: await countRows(tx)`select count(*)::int as n from ${from}` }
}

/** An order by `column` or `-column` of these, by the first where there is no such column. */
export function orderOf(columns: Record<string, RawBuilder<unknown>>, sort = ''): RawBuilder<unknown> {
  const column = columns[sort.replace('-', '')] ?? Object.values(columns)[0]
  return sql`${column} ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')}`
}

/** A filter of a list: the condition of each of its values, and the chosen one. */
export interface Filter {
  options: Record<string, RawBuilder<unknown>>
  chosen: string | undefined
}

/** The condition of the values that are chosen, but for those of one filter. */
export function chosenSql(filters: Record<string, Filter>, but?: string): RawBuilder<unknown> {
  const chosen = Object.entries(filters).flatMap(([name, { options, chosen }]) =>
    name !== but && chosen !== undefined && options[chosen] ? [sql`(${options[chosen]})`] : [],
  )
  return sql.join([sql`true`, ...chosen], sql` and `)
}

/** How many rows each value of each filter would leave, `all` of them included, with the other filters as they are chosen. */
export async function countFilters(
  tx: Tx,
  from: RawBuilder<unknown>,
  filters: Record<string, Filter>,
): Promise<Record<string, Record<string, number>>> {
  const counted = Object.entries(filters).flatMap(([name, { options }]) =>
    Object.entries({ all: sql`true`, ...options }).map(([value, is]) => ({
      ...{ name, value },
      count: sql`count(*) filter (where (${is}) and ${chosenSql(filters, name)})::int`,
    })),
  )
  const row = await firstRow<{ counts: number[] }>(tx)`
    select array[${sql.join(counted.map(({ count }) => count))}] as counts from ${from}`
  const counts: Record<string, Record<string, number>> = {}
  for (const [i, { name, value }] of counted.entries()) counts[name] = { ...counts[name], [value]: row?.counts[i] ?? 0 }
  return counts
}

/** The options of a column whose values are the names of its options. */
export const valuesOf = (column: string, values: readonly string[]): Filter['options'] =>
  Object.fromEntries(values.map((value) => [value, sql`${sql.raw(column)} = ${value}`]))
