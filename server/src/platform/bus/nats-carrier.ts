import { createHash } from 'node:crypto'
import type { BusEvent } from './bus.ts'
import type { Carrier, Hearer } from './carrier.ts'
import { EventSeal } from './event-seal.ts'
import type { NatsLink } from './nats-link.ts'

/** An event, numbered by the server that sends it, of each company apart: whoever sees a number left out has missed something. */
interface Numbered {
  n: number
  event: BusEvent
}

/**
 * Takes events by NATS: a subject for each company, in the name of the installation. NATS core keeps nothing, so an event may be lost; the
 * listeners then hear that they may have missed something: after a new connection, where a number is left out, and where a server says
 * that it could not send.
 */
export function natsCarrier(link: NatsLink, secret: string): Carrier {
  const seal = new EventSeal(secret)
  const installation = createHash('sha256').update('isotherm live events ').update(secret).digest('hex').slice(0, 16)
  const subjectOf = (companyId: number) => `isotherm.${installation}.live.${companyId}`
  const lost = `isotherm.${installation}.lost`
  const sent = new Map<number, number>()
  const heard = new Map<number, Map<string, number>>()
  let hearer: Hearer | null = null

  const take = (companyId: number, data: Uint8Array) => {
    const opened = seal.open(subjectOf(companyId), data)
    if (!opened) return
    const { n, event } = JSON.parse(opened.text) as Numbered
    const of = heard.get(companyId) ?? new Map<string, number>()
    const last = of.get(opened.from)
    // Sent once more by somebody who kept it.
    if (last !== undefined && n <= last) return
    heard.set(companyId, of.set(opened.from, n))
    if (last !== undefined && n > last + 1) hearer?.missed(companyId)
    hearer?.take(event)
  }
  return {
    begin(one) {
      hearer = one
      link.subscribe(lost, (data) => {
        if (seal.open(lost, data)) one.missed()
      })
      link.onUp((lostSome) => {
        heard.clear()
        if (lostSome) link.publish(lost, seal.seal(lost, ''))
        one.missed()
      })
    },
    send(event) {
      const n = (sent.get(event.companyId) ?? 0) + 1
      sent.set(event.companyId, n)
      const subject = subjectOf(event.companyId)
      link.publish(subject, seal.seal(subject, JSON.stringify({ n, event } satisfies Numbered)))
    },
    watch(companyId, isOn) {
      if (isOn) return link.subscribe(subjectOf(companyId), (data) => take(companyId, data))
      link.unsubscribe(subjectOf(companyId))
      heard.delete(companyId)
    },
  }
}
