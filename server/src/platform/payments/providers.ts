import type { Clock } from '../clock/clock.ts'
import type { PaymentAccounts, PaymentProviderName } from '../config/payments.ts'
import { paystack } from './paystack.ts'
import type { PaymentProvider } from './provider.ts'
import { stripe } from './stripe.ts'

export interface PaymentProviders {
  /** The provider of new payments in a currency; null: it is not sold in. */
  of(currency: string): PaymentProvider | null
  /** The provider of a payment that was begun, or of a webhook; null: it is not configured (any more). */
  named(name: PaymentProviderName): PaymentProvider | null
}

/** The providers that are configured. The SDK of Stripe, 34 MB of memory, is loaded only for it. `timeoutMs` bounds each request. */
export async function paymentProviders(
  accounts: PaymentAccounts,
  clock: Clock,
  timeoutMs = 20_000,
): Promise<PaymentProviders> {
  const byName: Record<PaymentProviderName, PaymentProvider | null> = {
    paystack: accounts.paystack && paystack(accounts.paystack, timeoutMs),
    stripe: accounts.stripe && (await stripe(accounts.stripe, timeoutMs, clock)),
  }
  const byCurrency = new Map<string, PaymentProviderName>(Object.entries(accounts.byCurrency))
  return {
    of: (currency) => {
      const name = byCurrency.get(currency)
      return name ? byName[name] : null
    },
    named: (name) => byName[name],
  }
}
