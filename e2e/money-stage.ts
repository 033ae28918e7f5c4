import { openPaymentPeer, type PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import { freePort } from '../server/test/free-port.ts'
import { provider } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

/** A server that takes payments by a pretend bank, sold by somebody, with VAT in Nigeria. */
export async function openMoneyStage(
  variables: Record<string, string> = {},
): Promise<{ bank: PaymentPeer; stage: Stage }> {
  const bank = await openPaymentPeer()
  // The server has to know its address before it listens: payers are sent back to it.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const stage = await openStage({
    ...{ ...bank.variables, PORT: String(port), PUBLIC_URL: url, CHECK_ANSWERS: '1' },
    ...variables,
  })
  bank.sendEventsTo('paystack', `${url}/app/api/v1/payment-events/paystack`)
  await provider(
    stage,
    ...['tax', 'set', '--country', 'NG', '--name', 'VAT', '--percent', '7.5', '--from', '2026-01-01'],
  )
  await provider(stage, ...['seller', 'set', '--name', 'Seller', '--address', '1 Marina', '--country', 'NG'])
  return { bank, stage }
}
