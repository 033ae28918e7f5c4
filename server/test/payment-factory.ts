import { putAccount } from '../src/core/billing/account-queries.ts'
import { issueInvoice } from '../src/core/billing/invoices.ts'
import { type Bought, insertPayment, insertPurchase, purchaseById } from '../src/core/billing/payment-queries.ts'
import { newReference } from '../src/core/billing/reference.ts'
import { putSeller } from '../src/core/provider/seller.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'

const tenUnits: Bought = { purpose: 'units', unit_kind: 'sms', units: 10 }

/** A payment that was begun, for units where nothing else is said, in a company with an account, which pays in naira. */
export const aPayment = (
  test: TestApp,
  { companyId, wanted = tenUnits, zone = 'UTC' }: { companyId: number; wanted?: Bought; zone?: string },
) =>
  inCompany(test, companyId, async (ctx) => {
    const now = test.clock.now()
    const details = { name: 'Acme', address: '1 Marina', country: 'NG', tax_number: null, currency: 'NGN', zone }
    await putAccount(ctx, details, now)
    const price = { currency: 'NGN', net: '1000', tax: '0', total: '1000' }
    const purchase = await insertPurchase(ctx, {
      ...wanted,
      ...price,
      taxes: [],
      buyer: { name: 'Acme', address: '1 Marina', country: 'NG', taxNumber: null },
      asked_by: '1',
      created_at: now,
    })
    return insertPayment(ctx, {
      purchase_id: purchase.id,
      provider: 'paystack',
      reference: newReference(test.services.secret, companyId),
      currency: 'NGN',
      amount: '1000',
      created_at: now,
      closes_at: new Date(now.getTime() + 3_600_000),
      check_at: now,
    })
  })

/** The invoice of a purchase that is paid. */
export async function anInvoice(test: TestApp, company: { companyId: number }) {
  const { purchase_id: id } = await aPayment(test, company)
  const seller = { name: 'Seller Ltd', address: '1 Marina', country: 'NG', tax_number: null, email: null }
  await asLogin(test.pool, ({ tx }) => putSeller(tx, seller, test.clock.now()))
  const units = { what: 'units' as const, kind: 'sms' as const, quantity: 10, net: 1_000 }
  return inCompany(test, company.companyId, async (ctx) =>
    issueInvoice(ctx, { zone: 'UTC' }, await purchaseById(ctx, id), [units], test.clock.now()),
  )
}
