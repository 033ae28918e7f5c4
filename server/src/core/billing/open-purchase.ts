import type { Price } from '../../domain/tax.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PaymentProvider } from '../../platform/payments/provider.ts'
import type { Services } from '../../platform/services.ts'
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
}

type Opened = { purchase: PurchaseRow; payment: PaymentRow }

/**
 * Keeps what a person wants to buy, with its price, and the payment that shall pay it; the account is locked. No money moves. Throws
 * PAYMENT_UNDER_WAY.
 */
export async function openPurchase(
  ctx: Context,
  provider: PaymentProvider,
  account: AccountRow,
  wanted: Bought,
  price: Price,
  by: PaidBy = {},
): Promise<Opened> {
  if ((await countLive(ctx)) >= maxLive) throw new AppError('PAYMENT_UNDER_WAY')
  return keepPurchase({ ...ctx, now: ctx.clock.now() }, provider.name, account, wanted, price, {
    ...by,
    askedBy: ctx.person.id,
  })
}

/** The same, for nobody where `askedBy` is null. */
export async function keepPurchase(
  of: TenantTx & { services: Pick<Services, 'secret'>; now: Date },
  provider: string,
  { currency, name, address, country, tax_number: taxNumber }: AccountRow,
  wanted: Bought,
  { net, taxes, total }: Price,
  { cardId = null, keepsCard = false, askedBy }: PaidBy & { askedBy: string | null },
): Promise<Opened> {
  const price = { currency, net: String(net), tax: String(total - net), total: String(total) }
  const purchase = await insertPurchase(of, {
    ...wanted,
    ...price,
    taxes,
    buyer: { name, address, country, taxNumber },
    asked_by: askedBy,
    created_at: of.now,
  })
  const payment = await insertPayment(of, {
    purchase_id: purchase.id,
    provider,
    reference: newReference(of.services.secret, of.companyId),
    currency,
    amount: price.total,
    card_id: cardId,
    keeps_card: keepsCard,
    created_at: of.now,
    closes_at: new Date(of.now.getTime() + pageMs),
    check_at: new Date(of.now.getTime() + beginMs),
  })
  return { purchase, payment }
}
