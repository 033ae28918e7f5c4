import type { PayBy } from '@isotherm/contract/billing.ts'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { Payments, Purchases } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type PurchaseRow = Selectable<Purchases>
export type PaymentRow = Selectable<Payments>

/** The states of a payment in which a payer may be at it. */
export const LIVE = ['created', 'sent', 'action', 'pending'] as const
const live = sql.join(LIVE.map((state) => sql`${state}`))

const SETTLED = ['succeeded', 'review', 'closed']
/** Whether nothing that its provider says changes it any more. One that failed may still come in. */
export const isSettled = ({ state }: PaymentRow): boolean => SETTLED.includes(state)

/** A purchase is for units, or for a period of a plan. */
export type Bought = { purpose: 'units' | 'subscription' } & Partial<
  Pick<
    PurchaseRow,
    | 'unit_kind'
    | 'units'
    | 'plan_id'
    | 'plan_name'
    | 'cadence'
    | 'subscription_id'
    | 'cycle'
    | 'period_start'
    | 'period_end'
    | 'unused'
    | 'is_topup'
  >
>

type NewPurchase = Pick<PurchaseRow, 'currency' | 'net' | 'tax' | 'total' | 'asked_by' | 'created_at'> &
  Bought & { taxes: object[]; buyer: object; tax_note?: string | null }

export const insertPurchase = (
  { tx, companyId }: TenantTx,
  { taxes, buyer, ...purchase }: NewPurchase,
): Promise<PurchaseRow> =>
  tx
    .insertInto('purchases')
    .values({ company_id: companyId, ...purchase, taxes: JSON.stringify(taxes), buyer: JSON.stringify(buyer) })
    .returningAll()
    .executeTakeFirstOrThrow()

export const insertPayment = (
  { tx, companyId }: TenantTx,
  payment: Pick<
    PaymentRow,
    'purchase_id' | 'provider' | 'reference' | 'currency' | 'amount' | 'created_at' | 'closes_at' | 'check_at'
  > &
    Partial<Pick<PaymentRow, 'card_id' | 'keeps_card' | 'call_key'>>,
): Promise<PaymentRow> =>
  tx
    .insertInto('payments')
    .values({ company_id: companyId, ...payment, state: 'created' })
    .returningAll()
    .executeTakeFirstOrThrow()

export const paymentById = ({ tx, companyId }: TenantTx, id: string): Promise<PaymentRow | undefined> =>
  tx.selectFrom('payments').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

export const paymentByReference = ({ tx, companyId }: TenantTx, reference: string): Promise<PaymentRow | undefined> =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('reference', '=', reference)
    .executeTakeFirst()

/** Whether a charge of a saved card may still be sent: nobody has answered for it, and its time is not over. */
export const isToSend = ({ state, card_id, closes_at }: PaymentRow, now: Date): boolean =>
  card_id !== null && (state === 'created' || state === 'sent') && now < closes_at

/** Locked until the transaction ends; the account is locked before. */
export const lockPayment = ({ tx, companyId }: TenantTx, id: string): Promise<PaymentRow> =>
  tx
    .selectFrom('payments')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const updatePayment = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Updateable<Payments>,
): Promise<PaymentRow> =>
  tx
    .updateTable('payments')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Says that the provider is asked now; false where somebody had it asked since `before`. */
export async function claimAsking({ tx, companyId }: TenantTx, id: string, before: Date, now: Date): Promise<boolean> {
  const claimed = await firstRow<object>(tx)`
    update payments set asked_at = ${now}
    where company_id = ${companyId} and id = ${id} and (asked_at is null or asked_at <= ${before}) returning id`
  return claimed !== undefined
}

export const purchaseById = ({ tx, companyId }: TenantTx, id: string): Promise<PurchaseRow> =>
  tx
    .selectFrom('purchases')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/**
 * Says that a purchase is paid, and which period that is. Where another period of the same subscription comes by itself, nobody owes a purchase
 * of the same number any more. The account is locked.
 */
export async function markPaid(
  { tx, companyId }: TenantTx,
  id: string,
  now: Date,
  period: { cycle: number; start: Date; end: Date; subscription: { id: string } | null } | null,
): Promise<PurchaseRow> {
  if (period?.subscription)
    await tx
      .updateTable('purchases')
      .set({ voided_at: now })
      .where('company_id', '=', companyId)
      .where('subscription_id', '=', period.subscription.id)
      .where('cycle', '=', period.cycle)
      .where('id', '<>', id)
      .where('voided_at', 'is', null)
      .execute()
  return tx
    .updateTable('purchases')
    .set({
      paid_at: now,
      voided_at: null,
      ...(period && { cycle: period.cycle, period_start: period.start, period_end: period.end }),
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A subscription owes nothing any more, and no transfer is waited for. The account is locked. */
export const voidPeriods = ({ tx, companyId }: TenantTx, subscriptionId: string, now: Date) =>
  allRows<object>(tx)`
    with voided as (
      update purchases set voided_at = ${now}
      where company_id = ${companyId} and subscription_id = ${subscriptionId} and paid_at is null and voided_at is null
      returning id)
    update payments set state = 'cancelled'
    where company_id = ${companyId} and provider = 'transfer' and state = 'action' and purchase_id in (select id from voided)`

/** Whether the next period of a subscription has been asked for and is not paid. */
export async function isPeriodOwed({ tx, companyId }: TenantTx, subscriptionId: string): Promise<boolean> {
  const owed = await firstRow<object>(tx)`
    select from purchases where company_id = ${companyId} and subscription_id = ${subscriptionId}
      and cycle is not null and paid_at is null and voided_at is null limit 1`
  return owed !== undefined
}

/** The net price of a period that is paid, before the days of another plan were taken off, less what was given back of it. */
export async function paidForPeriod(
  { tx, companyId }: TenantTx,
  subscriptionId: string,
  cycle: number,
): Promise<number> {
  const paid = await firstRow<{ net: string }>(tx)`
    select greatest(0, b.net + coalesce(b.unused, 0) + coalesce((
      select sum(c.net) from invoices c
      where c.company_id = b.company_id and c.purchase_id = b.id and c.kind = 'credit_note'), 0))::text as net
    from purchases b
    where b.company_id = ${companyId} and b.subscription_id = ${subscriptionId} and b.cycle = ${cycle} and b.paid_at is not null`
  return Number(paid?.net ?? 0)
}

/** Says that a purchase that nobody asked for is not wanted any more; undefined where it is another one, or is paid. */
export const giveUpTopUp = ({ tx, companyId }: TenantTx, id: string, now: Date): Promise<PurchaseRow | undefined> =>
  tx
    .updateTable('purchases')
    .set({ voided_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('is_topup', '=', true)
    .where('paid_at', 'is', null)
    .where('voided_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Says which subscription a purchase has made. */
export const tellSubscription = ({ tx, companyId }: TenantTx, id: string, subscriptionId: string) =>
  tx
    .updateTable('purchases')
    .set({ subscription_id: subscriptionId })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** Gives up the payments of a purchase that somebody may be at. */
export const cancelLive = ({ tx, companyId }: TenantTx, purchaseId: string) =>
  tx
    .updateTable('payments')
    .set({ state: 'cancelled', check_at: null })
    .where('company_id', '=', companyId)
    .where('purchase_id', '=', purchaseId)
    .where('state', 'in', LIVE)
    .execute()

/** The payments of a company that somebody may be at: by a page, or by transfer. */
export const countLive = ({ tx, companyId }: TenantTx, way: PayBy = 'page'): Promise<number> =>
  countRows(tx)`select count(*)::int as n from payments
    where company_id = ${companyId} and state in (${live}) and (provider = 'transfer') = ${way === 'transfer'}`

interface AskedBy {
  askedBy: string
  currency: string
  total: number
  payBy: PayBy
  since: Date
  /** The saved card that shall pay; null: a page. */
  cardId: string | null
  keepsCard: boolean
}

/** The payment of the same thing for the same price that the same person has begun and not ended. */
export const livePaymentOf = (
  { tx, companyId }: TenantTx,
  { purpose, unit_kind, units, plan_id, cadence, subscription_id, unused }: Bought,
  { askedBy, currency, total, payBy, since, cardId, keepsCard }: AskedBy,
): Promise<PaymentRow | undefined> =>
  firstRow<PaymentRow>(tx)`
    select p.* from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
    where p.company_id = ${companyId} and p.state in (${live}) and p.created_at > ${since}
      and b.purpose = ${purpose} and b.unit_kind is not distinct from ${unit_kind ?? null}
      and b.units is not distinct from ${units ?? null} and b.plan_id is not distinct from ${plan_id ?? null}
      and b.cadence is not distinct from ${cadence ?? null} and b.unused is not distinct from ${unused ?? null}
      and b.subscription_id is not distinct from ${subscription_id ?? null} and (p.provider = 'transfer') = ${payBy === 'transfer'}
      and b.voided_at is null and b.asked_by = ${askedBy} and b.currency = ${currency} and b.total = ${total}
      and p.card_id is not distinct from ${cardId}::int8 and p.keeps_card = ${keepsCard}
    order by p.created_at desc limit 1`

/** The money that a person has asked of saved cards since then, but for payments that came to nothing. */
export const askedOfCards = async (
  { tx, companyId }: TenantTx,
  { askedBy, currency, since }: Pick<AskedBy, 'askedBy' | 'currency' | 'since'>,
): Promise<number> => {
  const row = await firstRow<{ sum: string }>(tx)`
    select coalesce(sum(p.amount), 0) as sum from payments p
      join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
    where p.company_id = ${companyId} and p.created_at > ${since} and p.card_id is not null
      and p.state not in ('failed', 'cancelled') and p.currency = ${currency} and b.asked_by = ${askedBy}`
  return Number(row?.sum ?? 0)
}

/** The payment that a call of a person with a key began before. */
export const paymentOfCall = (
  { tx, companyId }: TenantTx,
  { key, askedBy, since }: { key: Buffer; askedBy: string; since: Date },
): Promise<PaymentRow | undefined> =>
  firstRow<PaymentRow>(tx)`
    select p.* from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
    where p.company_id = ${companyId} and p.call_key = ${key} and b.asked_by = ${askedBy} and p.created_at > ${since}
    order by p.id desc limit 1`

/** The payments that are due to be asked for, the longest due first. As pipeline. */
export const paymentsToCheck = (tx: Tx, now: Date, max: number) =>
  allRows<{ company_id: number; id: string }>(tx)`
    select company_id, id from payments where check_at <= ${now} order by check_at limit ${max}`

/** A payment with what it pays, and the invoice of that. */
export interface ShownPayment extends Omit<PaymentRow, 'transfer'> {
  unit_kind: string | null
  units: number | null
  plan_name: string | null
  cadence: string | null
  invoice_id: string | null
  series: string | null
  number: number | null
  transfer: unknown
}

const shown = (companyId: number) => sql`
  select p.*, b.unit_kind, b.units, b.plan_name, b.cadence, i.id as invoice_id, i.series, i.number,
    coalesce(p.transfer, i.transfer) as transfer
  from payments p
  join purchases b on b.company_id = p.company_id and b.id = p.purchase_id
  left join invoices i on i.company_id = b.company_id and i.purchase_id = b.id and i.kind = 'invoice'
    and (p.state = 'succeeded' or p.provider = 'transfer')
  where p.company_id = ${companyId}`

export const shownPayment = ({ tx, companyId }: TenantTx, id: string): Promise<ShownPayment | undefined> =>
  firstRow<ShownPayment>(tx)`${shown(companyId)} and p.id = ${id}`

/** The payments that somebody may be at, and those under review; newest first. */
export const openPayments = ({ tx, companyId }: TenantTx, max: number): Promise<ShownPayment[]> =>
  allRows<ShownPayment>(tx)`${shown(companyId)} and p.state in (${live}, 'review')
    order by p.created_at desc, p.id desc limit ${max}`

/**
 * The payments by transfer of all companies that are waited for, and those of periods that nobody waits for any more: what comes in for them is
 * looked at. As pipeline.
 */
export const transfersAwaited = (tx: Tx): Promise<PaymentRow[]> =>
  allRows<PaymentRow>(tx)`
    select * from payments
    where provider = 'transfer' and (state = 'action' or (state = 'cancelled' and transfer is not null))
    order by company_id, id`

/** Those that were waited for until now, and of which nothing came in. As pipeline. */
export const transfersOverdue = (tx: Tx, now: Date, max: number): Promise<PaymentRow[]> =>
  allRows<PaymentRow>(tx)`
    select p.* from payments p
    where p.provider = 'transfer' and p.state = 'action' and p.closes_at <= ${now} and not exists (
      select from bank_receipts r where r.company_id = p.company_id and r.payment_id = p.id)
    order by p.closes_at limit ${max}`

/** The transfer that a purchase waits for. */
export const transferOf = ({ tx, companyId }: TenantTx, purchaseId: string): Promise<PaymentRow | undefined> =>
  firstRow<PaymentRow>(tx)`
    select * from payments
    where company_id = ${companyId} and purchase_id = ${purchaseId} and provider = 'transfer' and state = 'action'`

/** The payments of all companies that are under review, disputed, open or given up; those under review first. As pipeline. */
export const paymentsForDesk = (tx: Tx, max: number): Promise<PaymentRow[]> =>
  allRows<PaymentRow>(tx)`
    select * from payments where state in (${live}, 'review', 'cancelled') or dispute = 'open'
    order by state = 'review' desc, created_at desc limit ${max}`
