import { lengthMs } from './budget.ts'

/** The holder of goods: the sender's dock, driver and vehicle, or a receiver's dock; nobody once a vehicle has nothing aboard. */
export type Holder =
  | { kind: 'sender' | 'carrier' | 'nobody'; receiverId: null }
  | { kind: 'receiver'; receiverId: string }

/** The evidence for the beginning of a stretch of custody. */
export type Basis = 'start' | 'departure' | 'handOver'

/** A stretch of time with one holder, ms; it ends before `to`. */
export interface Custody<H = Holder, B = Basis> {
  holder: H
  from: number
  to: number
  basis: B
}

/** Goods that come to a holder, by an evidence. */
export interface Change<H, B> {
  at: number
  holder: H
  basis: B
}

/** A stop that is settled; goods that were refused, or not handed over, stay with the carrier. */
export interface SettledStop {
  receiverId: string
  at: number
  isHandedOver: boolean
}

/** An order as far as custody goes, ms. */
export interface Journey {
  from: number
  to: number
  /** When the goods left the pick-up; null where nobody knows. */
  departedAt: number | null
  /** Whether positions show that they are still at the pick-up. */
  isAtPickup: boolean
  stops: readonly SettledStop[]
  /** How many stops there are in all. */
  stopCount: number
}

/** Where a device measures: in the box of one receiver, among the goods of all, or in the vehicle. */
export interface Measuring {
  role: 'cargo' | 'vehicle'
  receiverId: string | null
}

const carrier = { kind: 'carrier', receiverId: null } as const

/** The stretches of custody of the goods that a device measures: they fill the time of the order, one after the other. */
export function custodyOf(journey: Journey, device: Measuring): Custody[] {
  const { from, to } = journey
  const changes: Change<Holder, Basis>[] = []
  if (journey.departedAt !== null) {
    changes.push({ at: from, holder: { kind: 'sender', receiverId: null }, basis: 'start' })
    changes.push({ at: journey.departedAt, holder: carrier, basis: 'departure' })
  } else {
    const holder: Holder = journey.isAtPickup ? { kind: 'sender', receiverId: null } : carrier
    changes.push({ at: from, holder, basis: 'start' })
  }
  const last = handOverOf(journey, device)
  if (last) changes.push({ ...last, basis: 'handOver' })
  // A hand-over that was told before the departure ends the sender's time, too.
  return stretchesOf(changes, { from, to })
}

/** The stretches between changes, as far as they lie within a time; a later change that was earlier ends those before it. */
export function stretchesOf<H, B>(
  changes: readonly Change<H, B>[],
  { from, to }: { from: number; to: number },
): Custody<H, B>[] {
  const ordered = changes.map((change) => ({ ...change, at: Math.min(Math.max(change.at, from), to) }))
  return ordered.flatMap(({ at, holder, basis }, index) => {
    const next = Math.min(to, ...ordered.slice(index + 1).map((later) => later.at))
    return next > at ? [{ holder, from: at, to: next, basis }] : []
  })
}

/** When, and to whom, the goods go that a device measures; null while the carrier keeps them. */
function handOverOf(
  { stops, stopCount }: Journey,
  { role, receiverId }: Measuring,
): { at: number; holder: Holder } | null {
  const handedOver = stops.filter(({ isHandedOver }) => isHandedOver)
  const own = handedOver.find((stop) => stop.receiverId === receiverId)
  if (receiverId !== null) return own ? { at: own.at, holder: { kind: 'receiver', receiverId } } : null
  if (handedOver.length < stopCount) return null
  const last = handedOver.reduce((a, b) => (b.at > a.at ? b : a))
  if (role === 'vehicle') return { at: last.at, holder: { kind: 'nobody', receiverId: null } }
  return { at: last.at, holder: { kind: 'receiver', receiverId: last.receiverId } }
}

/** The part of a stretch outside the limits that one holder had the goods for, ms. */
export interface Share<H = Holder> {
  holder: H
  ms: number
}

/** The parts of a stretch outside the limits, each with the holder who had the goods then. */
export interface Part<H = Holder> {
  holder: H
  from: number
  to: number
}

/** Attributes a stretch outside the limits to holders: each of its milliseconds within the custody once. */
export function partsOf<H>(custody: readonly Custody<H, unknown>[], outside: { from: number; to: number }): Part<H>[] {
  return custody.flatMap((held) => {
    const [from, to] = [Math.max(held.from, outside.from), Math.min(held.to, outside.to)]
    return to > from ? [{ holder: held.holder, from, to }] : []
  })
}

/** The same as times. */
export const sharesOf = <H>(
  custody: readonly Custody<H, unknown>[],
  outside: { from: number; to: number },
): Share<H>[] => partsOf(custody, outside).map(({ holder, from, to }) => ({ holder, ms: to - from }))

/** How long each holder had goods outside the limits: parts at the same time count once. In the order in which the holders first come. */
export const timeOutside = <H>(parts: readonly Part<H>[]): Share<H>[] =>
  [...Map.groupBy(parts, ({ holder }) => JSON.stringify(holder)).values()].flatMap((own) =>
    own[0] ? [{ holder: own[0].holder, ms: lengthMs(own) }] : [],
  )
