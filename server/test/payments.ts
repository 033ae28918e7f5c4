import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPaymentPeer, type PaymentPeer, type PeerOptions } from '@isotherm/simulator/payments/peer.ts'
import { onTestFinished } from 'vitest'
import type { Clock } from '../src/platform/clock/clock.ts'
import { loadConfig } from '../src/platform/config/config.ts'
import type { PaymentProviderName } from '../src/platform/config/payments.ts'
import type {
  Begun,
  ChargeableCard,
  FoundCard,
  Known,
  PaymentProvider,
  Refused,
  ToCharge,
  ToPay,
  Truth,
} from '../src/platform/payments/provider.ts'
import { paymentProviders } from '../src/platform/payments/providers.ts'

export interface PaymentTest {
  peer: PaymentPeer
  provider: PaymentProvider
  /** The same provider, whose requests wait a moment only. */
  hasty: PaymentProvider
  /** The same with a key that the provider does not know. */
  strange: PaymentProvider
  clock: { now(): Date; advance(ms: number): void }
  /** A payment of 10,750.00; each has its own reference. */
  toPay(given?: Partial<ToPay>): ToPay
  known(payment: ToCharge, given?: Partial<Known>): Known
  /** The well-known card of a behaviour. */
  card(behaviour: string): ChargeableCard
  /** Ids that were kept before money moved. */
  kept: string[]
  keep(providerRef: string): Promise<void>
}

/** A pretend bank and a provider that talks to it over HTTP; ends with the test. */
export async function paymentTest(name: PaymentProviderName, options: PeerOptions = {}): Promise<PaymentTest> {
  let time = Date.parse('2026-11-23T09:00:00Z')
  const clock = {
    now: () => new Date(time),
    advance(ms: number) {
      time += ms
    },
  }
  const peer = await openPaymentPeer({ now: clock.now, slowMs: 4_000, ...options })
  onTestFinished(() => peer.close())
  // While a secret of webhooks is replaced there are two.
  const variables = { ...peer.variables, STRIPE_WEBHOOK_SECRET: `whsec_old,${peer.variables.STRIPE_WEBHOOK_SECRET}` }
  const wrongKeys = { PAYSTACK_SECRET_KEY: 'sk_test_other', STRIPE_SECRET_KEY: 'sk_test_other' }
  const [provider, hasty, strange] = await Promise.all([
    providerOf(name, variables, clock),
    providerOf(name, variables, clock, 1_000),
    providerOf(name, { ...variables, ...wrongKeys }, clock),
  ])
  const kept: string[] = []
  let payments = 0
  return {
    peer,
    provider,
    hasty,
    strange,
    clock,
    toPay: (given = {}) => ({
      reference: `iso-k3v9q2mn-2f-p-${++payments}`,
      money: { amount: 1_075_000n, currency: name === 'paystack' ? 'NGN' : 'EUR' },
      email: 'ap@acme.test',
      description: '5 devices for a month',
      customer: null,
      returnUrl: 'https://cold.test/subscription/devices?payment=812',
      locale: 'fr',
      keepCard: true,
      closesAt: new Date(time + 3_600_000),
      ...given,
    }),
    known: ({ reference, money, providerRef }, given = {}) => ({
      reference,
      money,
      providerRef: providerRef ?? null,
      session: null,
      customer: null,
      since: new Date(time),
      ...given,
    }),
    card: (behaviour) => ({
      token: `${name === 'paystack' ? 'AUTH' : 'pm'}_${behaviour}`,
      email: 'ap@acme.test',
      customer: name === 'paystack' ? null : 'cus_known',
    }),
    kept,
    keep: async (providerRef) => void kept.push(providerRef),
  }
}

async function providerOf(name: PaymentProviderName, env: Record<string, string>, clock: Clock, timeoutMs?: number) {
  const found = (await paymentProviders(loadConfig(env).payments, clock, timeoutMs)).named(name)
  if (!found) throw new Error(`${name} is not configured`)
  return found
}

/** The truth's parts that say how a payment stands. */
export const standing = ({ status, failure }: Truth) => ({ status, next: failure?.next ?? null })

/** The page that was begun; fails where it was refused. */
export function page(begun: Begun | Refused): Begun {
  if ('refused' in begun) throw new Error(begun.refused.text)
  return begun
}

/** The card that a payment left; fails where it left none. */
export function cardOf({ card }: Truth): FoundCard {
  if (!card) throw new Error('no card was kept')
  return card
}

interface ReceivedWebhook {
  raw: Buffer
  headers: IncomingHttpHeaders
}

/** Receives the webhooks of a peer as a server does, byte by byte. */
export async function receiveWebhooks({ peer }: PaymentTest): Promise<ReceivedWebhook[]> {
  const received: ReceivedWebhook[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    received.push({ raw: Buffer.concat(parts), headers: request.headers })
    response.writeHead(200).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const name of ['paystack', 'stripe'] as const) peer.sendEventsTo(name, url)
  return received
}
