import type { Price } from '../../domain/tax.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { sellerBankOf } from '../provider/seller-banks.ts'
import type { AccountRow } from './account-queries.ts'
import { unitLines } from './grant.ts'
import type { InvoiceRow } from './invoice-queries.ts'
import { issueInvoice } from './invoices.ts'
import { keepPurchase } from './open-purchase.ts'
import {
  type Bought,
  countLive,
  insertPayment,
  type PaymentRow,
  type PurchaseRow,
  updatePayment,
} from './payment-queries.ts'
import { type TransferDetails, transferReference } from './transfer-reference.ts'

/** Invoices of one company that may wait for a transfer at once. */
const maxOwed = 5
/** For so long an invoice is owed; then a credit note takes it back. */
export const owedMs = 60 * 86_400_000

/**
 * Keeps the units that a company wants to buy and pay by transfer. Its invoice is issued at once, and says where to pay and what to name; the
 * account is locked. Throws PAYMENTS_OFF or INVOICES_OWED.
 */
export async function openTransfer(
  ctx: Context,
  account: AccountRow,
  wanted: Bought,
  price: Price,
): Promise<{ purchase: PurchaseRow; payment: PaymentRow; invoice: InvoiceRow }> {
  if ((await countLive(ctx, 'transfer')) >= maxOwed) throw new AppError('INVOICES_OWED')
  const bank = await withLogin(ctx.tx, () => sellerBankOf(ctx.tx, account.currency))
  if (!bank) throw new AppError('PAYMENTS_OFF')
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + owedMs)
  const purchase = await keepPurchase(ctx, account, wanted, price, { askedBy: ctx.person.id, now })
  let reference = ''
  const invoice = await issueInvoice(ctx, account, purchase, unitLines(purchase), now, (number): TransferDetails => {
    reference = transferReference(number)
    const { currency: _, ...details } = bank
    return { ...details, reference, until: until.toISOString() }
  })
  const { id } = await insertPayment(ctx, {
    purchase_id: purchase.id,
    provider: 'transfer',
    reference,
    currency: account.currency,
    amount: purchase.total,
    created_at: now,
    closes_at: until,
    check_at: null,
  })
  return { purchase, payment: await updatePayment(ctx, id, { state: 'action' }), invoice }
}
