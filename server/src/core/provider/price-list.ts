import { sql } from 'kysely'
import type { Cadence } from '../../domain/billing-period.ts'
import type { UnitPrices } from '../../domain/unit-price.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { setDated } from './dated-rows.ts'

// All of it as the login role. An amount is in minor units, net.

export type UnitKind = 'sms' | 'chat'

export interface PriceKey {
  planId: number
  currency: string
  cadence: Cadence
}

/** The price of a plan from an instant on; null: it is not sold so any more. */
export const setPlanPrice = (tx: Tx, of: PriceKey, amount: number | null, from: Date, now: Date): Promise<void> =>
  setDated(
    tx,
    {
      table: sql`plan_prices`,
      type: 'timestamptz',
      key: sql`plan_id = ${of.planId} and currency = ${of.currency} and cadence = ${of.cadence}`,
      from: from.toISOString(),
      ...(amount === null
        ? {}
        : {
            insert: (validFrom, validTo) =>
              tx
                .insertInto('plan_prices')
                .values({
                  plan_id: of.planId,
                  currency: of.currency,
                  cadence: of.cadence,
                  amount,
                  valid_from: validFrom,
                  valid_to: validTo,
                })
                .execute(),
          }),
    },
    now,
  )

export interface PlanPriceRow {
  code: string
  currency: string
  cadence: Cadence
  amount: string
  valid_from: Date
  valid_to: Date | null
}

/** The prices that are in force or will be; of one plan, or of all. */
export const listPlanPrices = (tx: Tx, now: Date, code: string | null): Promise<PlanPriceRow[]> =>
  allRows<PlanPriceRow>(tx)`
    select p.code, r.currency, r.cadence, r.amount, r.valid_from, r.valid_to
    from plan_prices r join plans p on p.id = r.plan_id
    where (r.valid_to is null or r.valid_to > ${now}) and (${code}::text is null or p.code = ${code})
    order by p.devices, p.id, r.currency, r.cadence desc, r.valid_from`

export interface PlanPriceNow {
  plan_id: number
  cadence: Cadence
  amount: string
  /** A change that is known already. */
  valid_to: Date | null
}

/** The prices of plans that are in force in a currency. */
export const planPricesNow = (tx: Tx, currency: string, now: Date): Promise<PlanPriceNow[]> =>
  allRows<PlanPriceNow>(tx)`
    select plan_id, cadence, amount, valid_to from plan_prices
    where currency = ${currency} and valid_from <= ${now} and (valid_to is null or valid_to > ${now})
    order by plan_id, cadence desc`

export interface UnitKey {
  kind: UnitKind
  currency: string
  units: number
  isBundle: boolean
}

/** The price of so many units from an instant on; null: not sold any more. */
export const setUnitPrice = (tx: Tx, of: UnitKey, amount: number | null, from: Date, now: Date): Promise<void> =>
  setDated(
    tx,
    {
      table: sql`unit_prices`,
      type: 'timestamptz',
      key: sql`kind = ${of.kind} and currency = ${of.currency} and units = ${of.units} and is_bundle = ${of.isBundle}`,
      from: from.toISOString(),
      ...(amount === null
        ? {}
        : {
            insert: (validFrom, validTo) =>
              tx
                .insertInto('unit_prices')
                .values({
                  kind: of.kind,
                  currency: of.currency,
                  units: of.units,
                  is_bundle: of.isBundle,
                  amount,
                  valid_from: validFrom,
                  valid_to: validTo,
                })
                .execute(),
          }),
    },
    now,
  )

export interface UnitPriceRow {
  kind: string
  currency: string
  units: number
  is_bundle: boolean
  amount: string
  valid_from: Date
  valid_to: Date | null
}

export const listUnitPrices = (tx: Tx, now: Date): Promise<UnitPriceRow[]> =>
  allRows<UnitPriceRow>(tx)`
    select kind, currency, units, is_bundle, amount, valid_from, valid_to from unit_prices
    where valid_to is null or valid_to > ${now}
    order by kind desc, currency, is_bundle, units, valid_from`

/** The prices of a kind of units that are in force. */
export async function unitPricesNow(
  tx: Tx,
  { kind, currency }: Pick<UnitKey, 'kind' | 'currency'>,
  now: Date,
): Promise<UnitPrices> {
  const rows = await allRows<Pick<UnitPriceRow, 'units' | 'is_bundle' | 'amount'>>(tx)`
    select units, is_bundle, amount from unit_prices
    where kind = ${kind} and currency = ${currency} and valid_from <= ${now} and (valid_to is null or valid_to > ${now})
    order by units`
  const offers = (isBundle: boolean) =>
    rows.filter((row) => row.is_bundle === isBundle).map(({ units, amount }) => ({ units, amount: Number(amount) }))
  return { bundles: offers(true), rates: offers(false) }
}

/** How many units each segment of a message to a country costs from an instant on; null: it is not sent there. */
export const setUnitWeight = (
  tx: Tx,
  of: { kind: UnitKind; country: string },
  weight: number | null,
  from: Date,
  now: Date,
): Promise<void> =>
  setDated(
    tx,
    {
      table: sql`unit_weights`,
      type: 'timestamptz',
      key: sql`kind = ${of.kind} and country = ${of.country}`,
      from: from.toISOString(),
      insert: (validFrom, validTo) =>
        tx
          .insertInto('unit_weights')
          .values({ kind: of.kind, country: of.country, weight, valid_from: validFrom, valid_to: validTo })
          .execute(),
    },
    now,
  )

export interface UnitWeightRow {
  kind: string
  country: string
  weight: number | null
  valid_from: Date
  valid_to: Date | null
}

export const listUnitWeights = (tx: Tx, now: Date): Promise<UnitWeightRow[]> =>
  allRows<UnitWeightRow>(tx)`
    select kind, country, weight, valid_from, valid_to from unit_weights
    where valid_to is null or valid_to > ${now} order by kind desc, country, valid_from`

/** The price of a plan at an instant; null: it is not sold so. */
export async function planPriceAt(tx: Tx, { planId, currency, cadence }: PriceKey, at: Date): Promise<number | null> {
  const row = await firstRow<{ amount: string }>(tx)`
    select amount from plan_prices
    where plan_id = ${planId} and currency = ${currency} and cadence = ${cadence}
      and valid_from <= ${at} and (valid_to is null or valid_to > ${at})`
  return row ? Number(row.amount) : null
}
