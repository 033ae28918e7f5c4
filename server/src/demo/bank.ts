import { apiBase } from '@isotherm/contract/call.ts'
import { openPaymentPeer, type PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import { type Config, loadConfig } from '../platform/config/config.ts'

/** The pretend bank of the demo, where no payment provider is configured: everything can be bought, and no money moves. */
export async function openBank(config: Config): Promise<{ bank: PaymentPeer | null; config: Config }> {
  if (config.payments.paystack || config.payments.stripe) return { bank: null, config }
  const bank = await openPaymentPeer()
  return { bank, config: { ...config, payments: loadConfig(bank.variables).payments } }
}

/** The bank tells the installation at `url` of payments, as providers do. */
export function tellOfPayments(bank: PaymentPeer, url: string): void {
  for (const name of ['paystack', 'stripe'] as const) bank.sendEventsTo(name, `${url}${apiBase}/payment-events/${name}`)
}
