import { sql } from 'kysely'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { setDated } from './dated-rows.ts'

// As the login role. A rate counts for whole days; several of one country count together.

/** A country's rate from a day on (YYYY-MM-DD), in hundredths of a percent; null: it ends. */
export const setTaxRate = (
  tx: Tx,
  of: { country: string; name: string },
  basisPoints: number | null,
  from: string,
  now: Date,
): Promise<void> =>
  setDated(
    tx,
    {
      table: sql`tax_rates`,
      type: 'date',
      key: sql`country = ${of.country} and name = ${of.name}`,
      from,
      ...(basisPoints === null
        ? {}
        : {
            insert: (validFrom, validTo) =>
              tx
                .insertInto('tax_rates')
                .values({ ...of, basis_points: basisPoints, valid_from: validFrom, valid_to: validTo })
                .execute(),
          }),
    },
    now,
  )

export interface TaxRateRow {
  country: string
  name: string
  basis_points: number
  valid_from: string
  valid_to: string | null
}

/** All rates there ever were: invoices of those days name them. */
export const listTaxRates = (tx: Tx): Promise<TaxRateRow[]> =>
  allRows<TaxRateRow>(tx)`
    select country, name, basis_points, valid_from::text, valid_to::text from tax_rates
    order by country, name, valid_from`
