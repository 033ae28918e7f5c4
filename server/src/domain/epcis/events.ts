import type { ToldStep } from '@isotherm/contract/epcis.ts'
import { offsetMs } from '@isotherm/contract/zone-times.ts'
import type { Milestone, Naming, Shipped, ShippedEvent, ShippedLeg } from './shipped.ts'
import { type Uris, urisOf } from './uris.ts'

/** The content of an event. */
interface EventContent {
  type: 'ObjectEvent' | 'AggregationEvent' | 'AssociationEvent'
  eventTime: string
  eventTimeZoneOffset: string
  action: 'ADD' | 'OBSERVE' | 'DELETE'
  bizStep: ToldStep
  [more: string]: unknown
}
/** An event as it is written into a document. */
export interface EpcisEvent extends EventContent {
  eventID: string
}

/** "+02:00": what the clocks of a zone were ahead of UTC at an instant. */
export function offsetOf(at: Date, zone: string): string {
  const minutes = Math.round(offsetMs(at.getTime(), zone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/** The facts that all events of a shipment are made with. */
export interface Telling {
  naming: Naming
  uris: Uris
  shipped: Shipped
  /** The names of the pallets that have a number. */
  pallets: string[]
}

export function tellingOf(naming: Naming, shipped: Shipped): Telling {
  const uris = urisOf(naming)
  return { naming, uris, shipped, pallets: shipped.pallets.map(uris.pallet) }
}

/**
 * An event with its id, which is the same in every export: made of `name`, the row that it tells of, and of all that it says, never of when it
 * is exported. So one that says something else now is another event, which takes the place of the one that somebody has.
 */
export function identified(
  { naming, shipped }: Telling,
  name: readonly (string | number)[],
  told: EventContent,
): EpcisEvent {
  const { type, ...rest } = told
  const parts = [naming.companyId, 'shipment', shipped.id, ...name, JSON.stringify(told)]
  return { ...{ type, eventID: `urn:uuid:${naming.uuidOf(parts.join(':'))}` }, ...rest }
}

export const timeOf = (at: Date, zone: string) => ({
  eventTime: at.toISOString(),
  eventTimeZoneOffset: offsetOf(at, zone),
})

/** The goods: pallets by their numbers, else the whole shipment as one thing. */
export const goodsOf = ({ pallets, uris, shipped }: Telling): string[] =>
  pallets.length > 0 ? pallets : [uris.shipment(shipped)]

/** The thing that travels on a leg: the container, else the goods. */
export const travelsOn = (telling: Telling, leg: ShippedLeg | undefined): string[] => {
  const container = leg && telling.uris.container(leg)
  return container ? [container] : goodsOf(telling)
}

/** The papers of a shipment. */
const papers = ({ uris, shipped }: Telling, leg: ShippedLeg | undefined) => ({
  bizTransactionList: [
    { bizTransaction: uris.shipment(shipped) },
    ...(leg?.awb ? [{ type: 'bol', bizTransaction: uris.awb(shipped, leg.awb) }] : []),
  ],
})

const vehicleOf = (leg: ShippedLeg | undefined) => ({
  ...(leg?.vesselName ? { 'iso:vessel': leg.vesselName } : {}),
  ...(leg?.imo ? { 'iso:imo': leg.imo } : {}),
  ...(leg?.voyage ? { 'iso:voyage': leg.voyage } : {}),
  ...(leg?.flightNumber ? { 'iso:flight': leg.flightNumber } : {}),
  ...(leg?.sealNo ? { 'iso:seal': leg.sealNo } : {}),
})

/** Milestones at the end of a leg; others are at its beginning. */
const atTheEnd: readonly string[] = ['arrived', 'discharged', 'fullOut', 'delivered', 'airReceivedFlight']

/**
 * The container that the goods are in at a milestone: that of its leg, else of the next leg that has one, and at the end of the one before. A milestone
 * without a leg is at the beginning of the shipment, or at its end.
 */
export function containerAt({ uris, shipped }: Telling, kind: string, leg?: ShippedLeg): string | null {
  const { legs } = shipped
  const near = atTheEnd.includes(kind)
    ? legs.slice(0, leg ? legs.indexOf(leg) + 1 : undefined).reverse()
    : legs.slice(leg ? legs.indexOf(leg) : 0)
  const inOne = near.find(({ containerNo }) => containerNo)
  return inOne ? uris.container(inOne) : null
}

function whereOf({ uris, shipped }: Telling, event: ShippedEvent, leg: ShippedLeg | undefined): string {
  const isEnd = atTheEnd.includes(event.kind)
  const port = (isEnd ? leg?.toPort : leg?.fromPort) ?? null
  return uris.readPoint(event, uris.end(port, isEnd ? shipped.destination : shipped.origin))
}

const handOver = ({ uris, shipped }: Telling, leg: ShippedLeg | undefined) => ({
  sourceList: [{ type: 'possessing_party', source: uris.company }],
  destinationList: [
    { type: 'location', destination: uris.end(leg?.toPort ?? null, shipped.destination) },
    ...(shipped.partnerId ? [{ type: 'possessing_party', destination: uris.own('partner', shipped.partnerId) }] : []),
  ],
})

type Step = Pick<EpcisEvent, 'bizStep'> & { disposition?: string }

/** Steps of things that are seen to happen. What is told about papers, empty containers or plans is no event of goods. */
const steps: Partial<Record<Milestone['kind'], Step>> = {
  gateIn: { bizStep: 'entering_exiting', disposition: 'in_progress' },
  departed: { bizStep: 'departing', disposition: 'in_transit' },
  transshipped: { bizStep: 'loading', disposition: 'in_transit' },
  arrived: { bizStep: 'arriving', disposition: 'in_transit' },
  fullOut: { bizStep: 'entering_exiting', disposition: 'in_progress' },
  customsHold: { bizStep: 'holding', disposition: 'in_progress' },
  customsReleased: { bizStep: 'other', disposition: 'in_progress' },
  inspected: { bizStep: 'inspecting' },
  airReceivedOnHand: { bizStep: 'accepting', disposition: 'in_progress' },
  airAccepted: { bizStep: 'accepting', disposition: 'in_progress' },
  airManifested: { bizStep: 'staging_outbound', disposition: 'in_progress' },
  airReceivedFlight: { bizStep: 'unloading', disposition: 'in_progress' },
}

/** The events that a milestone of a shipment is written as; none, where it tells of no goods. */
export function milestoneEvents(telling: Telling, event: ShippedEvent): EpcisEvent[] {
  const { uris, shipped } = telling
  const leg = shipped.legs.find(({ id }) => id === event.legId)
  const container = containerAt(telling, event.kind, leg)
  const vessel = leg ? uris.vessel(leg) : null
  const common = {
    ...timeOf(event.occurredAt, event.zone),
    readPoint: { id: whereOf(telling, event, leg) },
    'iso:recordedAt': event.recordedAt.toISOString(),
  }
  const seen = (part: string, step: Step, what: string[], more: object = {}) =>
    identified(telling, ['event', event.id, part], {
      ...{ type: 'ObjectEvent', ...common, epcList: what, action: 'OBSERVE', ...step },
      ...papers(telling, leg),
      ...more,
    })
  /** Into a container or ship, or out of it. */
  const moved = (part: string, action: 'ADD' | 'DELETE', step: Step, parentID: string, childEPCs: string[]) =>
    identified(telling, ['event', event.id, part], {
      ...{ type: 'AggregationEvent', ...common, parentID, childEPCs, action, ...step },
      ...papers(telling, leg),
      ...vehicleOf(leg),
    })
  const travels = leg || !container ? travelsOn(telling, leg) : [container]
  const [load, unload] = [
    { bizStep: 'loading', disposition: 'in_progress' },
    { bizStep: 'unloading', disposition: 'in_progress' },
  ] as const
  switch (event.kind) {
    case 'stuffed': {
      const closed = { bizStep: 'loading', disposition: 'container_closed' } as const
      return [
        container
          ? moved('stuffed', 'ADD', closed, container, goodsOf(telling))
          : seen('stuffed', load, goodsOf(telling)),
      ]
    }
    case 'loaded':
      return [vessel ? moved('loaded', 'ADD', load, vessel, travels) : seen('loaded', load, travels, vehicleOf(leg))]
    case 'discharged':
      return [
        vessel
          ? moved('discharged', 'DELETE', unload, vessel, travels)
          : seen('discharged', unload, travels, vehicleOf(leg)),
      ]
    case 'delivered': {
      const accepting = { bizStep: 'accepting', disposition: 'in_progress' } as const
      const accepted = seen('delivered', accepting, goodsOf(telling), handOver(telling, leg))
      // The goods leave the container only if they were seen to go into it.
      const wasStuffed = shipped.events.some(({ kind, id }) => kind === 'stuffed' && !isReplaced(shipped, id))
      return container && wasStuffed
        ? [moved('unloaded', 'DELETE', unload, container, goodsOf(telling)), accepted]
        : [accepted]
    }
    case 'cancelled': {
      const hasLeft = shipped.events.some(({ kind, id }) => kind === 'departed' && !isReplaced(shipped, id))
      return hasLeft ? [seen('cancelled', { bizStep: 'void_shipping' }, travels)] : []
    }
    default: {
      const step = steps[event.kind as Milestone['kind']]
      if (!step) return []
      const more = event.kind === 'departed' ? handOver(telling, leg) : {}
      return [seen(event.kind, step, travels, { ...more, ...vehicleOf(leg) })]
    }
  }
}

/** Whether a later event takes the place of this one. */
export const isReplaced = ({ events }: Pick<Shipped, 'events'>, id: string): boolean =>
  events.some(({ corrects }) => corrects === id)
