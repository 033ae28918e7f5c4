import type { BankDetails } from '@isotherm/contract/billing.ts'
import type { Price } from '../../domain/tax.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { sellerBankOf } from '../provider/seller-banks.ts'
import type { AccountRow } from './account-queries.ts'
import { unitLines } from './grant.ts'
import { nextNumber } from './invoice-queries.ts'
import { issueInvoice, yearIn } from './invoices.ts'
import { keepPurchase } from './open-purchase.ts'
import {
  type Bought,
  countLive,
  insertPayment,
  type PaymentRow,
  type PurchaseRow,
  updatePayment,
} from './payment-queries.ts'
import { periodReference, type TransferDetails, transferReference } from './transfer-reference.ts'

/** Transfers of one company that may be waited for at once. */
const maxOwed = 5
/** For so long an order is owed; then it is taken back. */
export const owedMs = 60 * 86_400_000

/** An order is to be paid `until` an instant; what is in a little later, until it `closes`, still counts. */
export interface Waiting {
  until: Date
  closes: Date
}

/** The seller's account that a company pays to. Throws PAYMENTS_OFF or INVOICES_OWED. */
async function bankOf(ctx: Context, { currency }: AccountRow): Promise<BankDetails> {
  if ((await countLive(ctx, 'transfer')) >= maxOwed) throw new AppError('INVOICES_OWED')
  const bank = await withLogin(ctx.tx, () => sellerBankOf(ctx.tx, currency))
  if (!bank) throw new AppError('PAYMENTS_OFF')
  const { currency: _, ...details } = bank
  return details
}

/**
 * Keeps what a company wants to buy and pay by transfer. The invoice of units is issued at once, and says where to pay and what to name; that of a
 * period would not know when it begins, so it is issued when the money is in. A change of plan waits as long as its offer holds. The account is locked. Throws PAYMENTS_OFF or INVOICES_OWED.
 */
export async function openTransfer(
  ctx: Context,
  account: AccountRow,
  wanted: Bought,
  price: Price,
  waiting?: Waiting,
): Promise<{ purchase: PurchaseRow; payment: PaymentRow }> {
  const bank = await bankOf(ctx, account)
  const now = ctx.clock.now()
  const purchase = await keepPurchase(ctx, account, wanted, price, { askedBy: ctx.person.id, now })
  if (wanted.purpose === 'subscription')
    return { purchase, payment: await forPeriod(ctx, account, purchase, bank, waiting) }
  const until = new Date(now.getTime() + owedMs)
  let reference = ''
  await issueInvoice(ctx, account, purchase, unitLines(purchase), now, (number): TransferDetails => {
    reference = transferReference(number)
    return { ...bank, reference, until: until.toISOString() }
  })
  const closes = until
  return { purchase, payment: await keepTransfer(ctx, purchase, { reference, now, closes, transfer: null }) }
}

/** The same for a period that is owed: how it is paid is kept with the payment. Throws PAYMENTS_OFF or INVOICES_OWED. */
export const openPeriodTransfer = async (
  ctx: Context,
  account: AccountRow,
  purchase: PurchaseRow,
): Promise<PaymentRow> => forPeriod(ctx, account, purchase, await bankOf(ctx, account))

async function forPeriod(
  ctx: Context,
  { zone }: AccountRow,
  purchase: PurchaseRow,
  bank: BankDetails,
  waiting?: Waiting,
): Promise<PaymentRow> {
  const now = ctx.clock.now()
  const usual = new Date(now.getTime() + owedMs)
  const { until, closes } = waiting ?? { until: usual, closes: usual }
  const year = yearIn(zone, now)
  const number = await nextNumber(ctx, `ORD-${year}`)
  const reference = periodReference({ companyId: ctx.companyId, year, number })
  const transfer: TransferDetails = { ...bank, reference, until: until.toISOString() }
  return keepTransfer(ctx, purchase, { reference, now, closes, transfer })
}

async function keepTransfer(
  ctx: Context,
  { id: purchaseId, currency, total }: PurchaseRow,
  {
    reference,
    now,
    closes,
    transfer,
  }: { reference: string; now: Date; closes: Date; transfer: TransferDetails | null },
): Promise<PaymentRow> {
  const { id } = await insertPayment(ctx, {
    ...{ purchase_id: purchaseId, provider: 'transfer', reference, currency, amount: total },
    ...{ created_at: now, closes_at: closes, check_at: null },
  })
  return updatePayment(ctx, id, { state: 'action', ...(transfer && { transfer: JSON.stringify(transfer) }) })
}
