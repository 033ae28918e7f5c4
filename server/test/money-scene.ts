import type { Payment } from '@isotherm/contract/billing.ts'
import type { Role } from '@isotherm/contract/permissions.ts'
import type { Behaviour } from '@isotherm/simulator/payments/bank.ts'
import { openPaymentPeer, type PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import { afterAll, beforeAll } from 'vitest'
import { provider } from '../src/commands/provider/provider.ts'
import { keepCard } from '../src/core/billing/cards.ts'
import { insertPayment, insertPurchase, type PaymentRow, paymentById } from '../src/core/billing/payment-queries.ts'
import { newReference } from '../src/core/billing/reference.ts'
import { sweepPayments } from '../src/features/billing/jobs.ts'
import { type Config, loadConfig } from '../src/platform/config/config.ts'
import { inTenant } from '../src/platform/db/transaction.ts'
import type { FoundCard } from '../src/platform/payments/provider.ts'
import { describeApp } from './describe-app.ts'
import { buildUser, type TestUser } from './factories.ts'
import type { Answer, TestApp } from './harness.ts'

/** The desk sells units of SMS by the bundle and by the rate, with VAT in Nigeria and none elsewhere. */
export const bundle = { kind: 'sms', units: 1_000, total: 591_250, currency: 'NGN' }

/** A person of a company that says how it is written on invoices. */
export interface Buyer extends TestUser {
  buy(body?: object, headers?: Record<string, string>): Promise<Answer>
  /** Begins a payment, which fails the test where it was refused. */
  begin(body?: object): Promise<Payment & { url: string }>
  /** How a payment stands here, without a question to the provider. */
  payment(id: string): Promise<Payment>
  /** The call of a browser that comes back from the provider's page. */
  check(id: string): Promise<Answer>
  units(kind?: string): Promise<number>
  serials(): Promise<string[]>
  /** Keeps a card that behaves so when it is charged; its id. */
  saveCard(behaviour?: Behaviour, given?: Partial<FoundCard>): Promise<string>
  /** Keeps a purchase of units that the card shall pay, and that nobody has begun to charge. */
  owe(cardId: string, given?: { units?: number; reference?: string }): Promise<PaymentRow>
  row(paymentId: string): Promise<PaymentRow>
}

export interface MoneyScene {
  t: TestApp
  peer: PaymentPeer
  /** Payers of Nigeria pay by Paystack, those of Germany by Stripe. */
  buyer(given?: { country?: string; role?: Role; company?: { companyId: number } }): Promise<Buyer>
  /** Brings the events that the bank sent and that were not brought yet, in this order; the statuses of our answers. */
  deliver(order?: 'in order' | 'reversed'): Promise<number[]>
  setSeller(): Promise<void>
  /**
   * A command of the provider's desk, and the lines that it says; one that is refused fails the test. Its prices count from the real time
   * on, which the test clock is ahead of.
   */
  desk(...args: string[]): Promise<string[]>
  /** The job of every minute. */
  sweep(): Promise<void>
}

/** An app, a pretend bank that it takes payments by, and a price list. */
export async function describeMoney({
  refundsAtOnce = true,
  ...overrides
}: Partial<Config> & { refundsAtOnce?: boolean } = {}): Promise<MoneyScene> {
  const scene = {} as MoneyScene
  const peer = await openPaymentPeer({ now: () => scene.t.clock?.now() ?? new Date(), slowMs: 1_000, refundsAtOnce })
  const t = describeApp({ ...overrides, payments: loadConfig(peer.variables).payments })
  let delivered = 0
  const desk = async (...args: string[]) => {
    const said: string[] = []
    if ((await provider(args, { pool: t.pool, now: () => t.clock.now(), out: (line) => void said.push(line) })) !== 0)
      throw new Error(said.join('\n'))
    return said
  }
  const setSeller = async () => {
    await desk(
      ...['seller', 'set', '--name', 'Seller Ltd', '--address', '12 Marina, Lagos', '--country', 'NG'],
      ...['--email', 'desk@seller.test'],
    )
  }
  beforeAll(async () => {
    const set = (currency: string, ...more: string[]) =>
      desk('units', 'set', '--kind', 'sms', '--currency', currency, '--units', ...more)
    for (const currency of ['NGN', 'EUR']) {
      await set(currency, '1', '--amount', '6')
      await set(currency, '1000', '--amount', '5500', '--bundle')
    }
    await desk('tax', 'set', '--country', 'NG', '--name', 'VAT', '--percent', '7.5', '--from', '2020-01-01')
    await setSeller()
    // The desk's prices count from the real time on.
    t.clock.advance(60_000)
  })
  afterAll(() => peer.close())

  async function buyer({ country = 'NG', ...given }: Parameters<MoneyScene['buyer']>[0] = {}): Promise<Buyer> {
    const user = await buildUser(t, given)
    const { token } = user
    const details = { name: 'Acme Foods', address: '5 Broad Street', country, taxNumber: null }
    if (!given.company) {
      const saved = await t.call('PUT', '/enterprise/billing-account', { token, body: details })
      if (saved.status !== 200) throw new Error(`the account was refused: ${saved.status}`)
    }
    const { companyId } = user
    const provider = country === 'NG' ? 'paystack' : 'stripe'
    const usual = country === 'NG' ? bundle : { ...bundle, total: 550_000, currency: 'EUR' }
    const buy = (body: object = {}, headers: Record<string, string> = {}) =>
      t.call('POST', '/wallet/sms/purchase', { token, headers, body: { ...usual, ...body } })
    return {
      ...user,
      buy,
      async begin(body) {
        const { status, body: answer } = await buy(body)
        if (status !== 200 || !answer.payload.url) throw new Error(`no page: ${status} ${JSON.stringify(answer)}`)
        return answer.payload
      },
      payment: async (id) => (await t.call('GET', `/enterprise/payments/${id}`, { token })).body.payload,
      check: (id) => t.call('POST', `/enterprise/payments/${id}/check`, { token }),
      async units(kind = 'sms') {
        const { body } = await t.call('GET', '/wallet', { token })
        return body.payload.find((one: { kind: string }) => one.kind === kind).balance
      },
      async serials() {
        const { body } = await t.call('POST', '/enterprise/billings', { token, body: { perPage: 200 } })
        return body.payload.data.map(({ serialNumber }: { serialNumber: string }) => serialNumber)
      },
      saveCard: (behaviour = 'ok', more = {}) =>
        inTenant(t.pool, companyId, async ({ tx }) => {
          const of = { tx, companyId, secret: t.services.secret, now: t.clock.now() }
          const [prefix, customer] = provider === 'paystack' ? ['AUTH', null] : ['pm', 'cus_known']
          const found = {
            ...{ token: `${prefix}_${behaviour}`, email: user.email, customer, fingerprint: `print-${behaviour}` },
            ...{ brand: 'visa', last4: '4081', expMonth: 12, expYear: 2030, bank: null },
            ...more,
          }
          return (await keepCard(of, provider, found)).id
        }),
      owe: (cardId, { units = 10, reference = newReference(t.services.secret, companyId) } = {}) =>
        inTenant(t.pool, companyId, async ({ tx }) => {
          const of = { tx, companyId }
          const now = t.clock.now()
          const { currency } = usual
          const total = String(units * 600)
          const purchase = await insertPurchase(of, {
            ...{ purpose: 'units', unit_kind: 'sms', units, currency, net: total, tax: '0', total, taxes: [] },
            ...{ buyer: details, asked_by: null, created_at: now },
          })
          return insertPayment(of, {
            ...{ purchase_id: purchase.id, provider, reference, currency, amount: total, card_id: cardId },
            ...{ created_at: now, closes_at: new Date(now.getTime() + 3_600_000), check_at: now },
          })
        }),
      async row(paymentId) {
        const found = await inTenant(t.pool, companyId, ({ tx }) => paymentById({ tx, companyId }, paymentId))
        if (!found) throw new Error(`no payment ${paymentId}`)
        return found
      },
    }
  }

  async function deliver(order: 'in order' | 'reversed' = 'in order'): Promise<number[]> {
    const waiting = peer.webhooks.sent.slice(delivered)
    delivered = peer.webhooks.sent.length
    const statuses: number[] = []
    for (const { provider: name, raw, headers } of order === 'in order' ? waiting : waiting.reverse()) {
      const answer = await t.app.inject({
        method: 'POST',
        url: `/app/api/v1/payment-events/${name}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: raw,
      })
      statuses.push(answer.statusCode)
    }
    await t.runJobs()
    return statuses
  }
  return Object.assign(scene, {
    ...{ t, peer, buyer, deliver, setSeller, desk },
    sweep: () => sweepPayments.run(t.services, {}),
  })
}
