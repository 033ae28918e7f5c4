import { createHmac } from 'node:crypto'
import type { ProviderName } from './bank.ts'

/**
 * - ordinary: after the answer
 * - none: never
 * - twice: two at once
 * - early: before the answer that they are about
 * - late: when `release` is called, in order or reversed
 * - forged: signed by another secret
 * - unknown: after an event that nobody has heard of
 */
export type WebhookMode = 'ordinary' | 'none' | 'twice' | 'early' | 'late' | 'forged' | 'unknown'

export interface Sent {
  provider: ProviderName
  raw: string
  headers: Record<string, string>
  /** The receiver's answer; null: there was none. */
  status: number | null
}

interface Outgoing {
  provider: ProviderName
  event: object
}

/** Addresses and secrets that events are sent with; without an address they are only kept. */
export interface Receivers {
  paystack: { url: string | null; secret: string }
  stripe: { url: string | null; secret: string }
}

/** Signs and posts events, each at once, and keeps what was sent. */
export class Webhooks {
  mode: WebhookMode = 'ordinary'
  readonly sent: Sent[] = []
  readonly #receivers: Receivers
  readonly #now: () => Date
  #held: Outgoing[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(receivers: Receivers, now: () => Date) {
    this.#receivers = receivers
    this.#now = now
  }

  /** Takes the events of one call; resolves when its answer may be written. */
  async tell(events: Outgoing[]): Promise<void> {
    if (this.mode === 'none') return
    if (this.mode === 'late') return void this.#held.push(...events)
    const sending = events.flatMap((told) => {
      if (this.mode === 'twice') return [this.#post(told), this.#post(told)]
      if (this.mode === 'unknown') return [this.#post({ ...told, event: strange(told.provider) }), this.#post(told)]
      return [this.#post(told)]
    })
    if (this.mode === 'early') await Promise.all(sending)
  }

  /** Sends what was held back, one after the other. */
  async release(order: 'in order' | 'reversed' = 'in order'): Promise<void> {
    const held = this.#held
    this.#held = []
    for (const told of order === 'reversed' ? held.reverse() : held) await this.#post(told)
  }

  /** Sends again all that was sent, byte by byte as it was. */
  async repeat(): Promise<void> {
    for (const { provider, raw, headers } of [...this.sent]) await this.#deliver(provider, raw, headers)
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #post({ provider, event }: Outgoing): Promise<void> {
    const raw = JSON.stringify(event)
    const { secret } = this.#receivers[provider]
    return this.#deliver(provider, raw, this.#signed(provider, raw, this.mode === 'forged' ? `${secret}x` : secret))
  }

  #signed(provider: ProviderName, raw: string, secret: string): Record<string, string> {
    if (provider === 'paystack')
      return { 'x-paystack-signature': createHmac('sha512', secret).update(raw).digest('hex') }
    const at = Math.floor(this.#now().getTime() / 1000)
    return { 'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')}` }
  }

  #deliver(provider: ProviderName, raw: string, headers: Record<string, string>): Promise<void> {
    const sent: Sent = { provider, raw, headers, status: null }
    this.sent.push(sent)
    const { url } = this.#receivers[provider]
    if (!url) return Promise.resolve()
    const running = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: raw,
      signal: AbortSignal.timeout(30_000),
    })
      .then(async (answer) => {
        sent.status = answer.status
        await answer.arrayBuffer()
      })
      // A receiver that is away learns of the payment by asking.
      .catch(() => {})
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }
}

const strange = (provider: ProviderName) =>
  provider === 'paystack'
    ? { event: 'subscription.expiring_cards', data: [{ expiry_date: '12/2030', brand: 'visa' }] }
    : { id: 'evt_strange', object: 'event', type: 'tax.settings.updated', data: { object: { object: 'tax.settings' } } }
