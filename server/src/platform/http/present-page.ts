import { metaOf } from '@isotherm/contract/paging.ts'

/** The payload of a list. */
export const presentPage = <Row, Item>(
  paging: { page: number; perPage: number },
  { rows, total }: { rows: readonly Row[]; total: number },
  present: (row: Row) => Item,
) => ({ data: rows.map((row) => present(row)), meta: metaOf(paging, total) })
