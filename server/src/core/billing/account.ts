import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import type { PaymentProviders } from '../../platform/payments/providers.ts'
import { findCompany } from '../company/company.ts'
import { type AccountDetails, type AccountRow, hasPayments, lockAccount, putAccount } from './account-queries.ts'

const EUROZONE = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'
const CURRENCY_OF: Record<string, string> = {
  ...{ NG: 'NGN', GH: 'GHS', KE: 'KES', ZA: 'ZAR', GB: 'GBP' },
  ...Object.fromEntries(EUROZONE.split(' ').map((country) => [country, 'EUR'])),
}
/** The order in which a currency is taken for a country whose own is not sold. */
const OTHERS = ['USD', 'EUR', 'GBP', 'NGN', 'KES', 'GHS', 'ZAR']

/** The currency that a company of a country pays in: its own, if there are payments in it. */
export function currencyOf(country: string, payments: PaymentProviders): string {
  const own = CURRENCY_OF[country] ?? 'USD'
  return [own, ...OTHERS].find((currency) => payments.of(currency)) ?? own
}

/**
 * Keeps how the company is written on invoices; `seen` is the version that the change was made from, 0 without an account. Its currency
 * stays once there was a payment. Throws CHANGED_MEANWHILE.
 */
export async function changeAccount(
  ctx: Context,
  details: AccountDetails,
  seen?: number,
): Promise<{ before: AccountRow | undefined; after: AccountRow }> {
  const before = await lockAccount(ctx)
  const keeps = before && (await hasPayments(ctx))
  const currency = keeps ? before.currency : currencyOf(details.country, ctx.services.payments)
  const { name, timezone } = await findCompany(ctx.tx, ctx.companyId)
  const after = await putAccount(ctx, { ...details, currency, zone: before?.zone ?? timezone }, ctx.clock.now())
  // Judged by what was replaced: an account that did not exist could not be locked.
  refuseOutdated({ name, version: after.version - 1 }, seen)
  return { before, after }
}
