import { sql } from 'kysely'
import type { TaxRate } from '../../domain/tax.ts'
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

/** The rates of a country on the day of an instant, in a zone. */
export async function taxRatesAt(tx: Tx, country: string, at: Date, zone: string): Promise<TaxRate[]> {
  const rows = await allRows<{ name: string; basis_points: number }>(tx)`
    select name, basis_points from tax_rates, (select (${at}::timestamptz at time zone ${zone})::date as day) d
    where country = ${country} and valid_from <= d.day and (valid_to is null or valid_to > d.day) order by name`
  return rows.map((row) => ({ name: row.name, basisPoints: row.basis_points }))
}

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
