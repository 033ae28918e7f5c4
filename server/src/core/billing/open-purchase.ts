import type { Price } from '../../domain/tax.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import type { AccountRow } from './account-queries.ts'
import {
  type Bought,
  countLive,
  insertPayment,
  insertPurchase,
  type PaymentRow,
  type PurchaseRow,
} from './payment-queries.ts'
import { newReference } from './reference.ts'

/** Pages of payments of one company that may be open at once. */
const maxLive = 5
/** For so long a payer has time; Paystack's pages stay longer, and a payment there still counts. */
const pageMs = 3_600_000
/** Longer than a provider takes to answer: nobody asks for what is just begun. */
const beginMs = 120_000

/** How a payment is paid: by a saved card, or on the provider's page, which may keep the payer's card. */
export interface PaidBy {
  cardId?: string | null
  keepsCard?: boolean
  /** The key of the call that begins it. */
  callKey?: Buffer | null
}

/** A call, or a job: then nobody asks. */
type Asking = TenantTx & Pick<Context, 'services' | 'clock'> & { person: Pick<Context['person'], 'id'> | null }

/**
 * Keeps what a company wants to buy, with its price, and the payment that shall pay it; the account is locked. No money moves. Throws
 * PAYMENT_UNDER_WAY.
 */
export async function openPurchase(
  ctx: Asking,
  provider: Pick<PaymentProvider, 'name'>,
  account: AccountRow,
  wanted: Bought,
  price: Price,
  by: PaidBy = {},
): Promise<{ purchase: PurchaseRow; payment: PaymentRow }> {
  if (ctx.person && (await countLive(ctx)) >= maxLive) throw new AppError('PAYMENT_UNDER_WAY')
  const purchase = await keepPurchase(ctx, account, wanted, price, {
    askedBy: ctx.person?.id ?? null,
    now: ctx.clock.now(),
  })
  return { purchase, payment: await openPayment(ctx, provider, purchase, by) }
}

/** Keeps a payment that shall pay a purchase. */
export function openPayment(
  ctx: Asking,
  provider: Pick<PaymentProvider, 'name'>,
  { id, currency, total }: PurchaseRow,
  { cardId = null, keepsCard = false, callKey = null }: PaidBy,
): Promise<PaymentRow> {
  const now = ctx.clock.now()
  return insertPayment(ctx, {
    purchase_id: id,
    provider: provider.name,
    reference: newReference(ctx.services.secret, ctx.companyId, ctx.person ? 'p' : 't'),
    currency,
    amount: total,
    card_id: cardId,
    keeps_card: keepsCard,
    call_key: callKey,
    created_at: now,
    closes_at: new Date(now.getTime() + pageMs),
    check_at: new Date(now.getTime() + beginMs),
  })
}

/** Keeps what a company wants to buy, with its price, its taxes and how the buyer is written now. */
export function keepPurchase(
  of: TenantTx,
  { currency, name, address, country, tax_number: taxNumber }: AccountRow,
  wanted: Bought,
  { net, taxes, total, taxNote }: Price,
  { askedBy, now }: { askedBy: string | null; now: Date },
): Promise<PurchaseRow> {
  return insertPurchase(of, {
    ...wanted,
    ...{ currency, net: String(net), tax: String(total - net), total: String(total) },
    taxes,
    buyer: { name, address, country, taxNumber },
    tax_note: taxNote ?? null,
    asked_by: askedBy,
    created_at: now,
  })
}
