import type { MilestoneKind, ShipmentHolderKind } from '@isotherm/contract/shipments.ts'
import { type Change, type Custody, stretchesOf } from './custody.ts'

/** The holder of a shipment's goods, by name where one is known; `legId`: the leg that a haulier or carrier holds them on. */
export interface ShipmentHolder {
  kind: ShipmentHolderKind
  name: string | null
  legId: string | null
}

export interface CustodyLeg {
  id: string
  mode: 'sea' | 'air' | 'road' | 'rail'
  /** The haulier, shipping line, airline or railway. */
  carrier: string | null
  fromName: string | null
  toName: string | null
}

export interface CustodyMilestone {
  kind: MilestoneKind
  at: number
  legId: string | null
  placeName: string | null
}

/** A shipment as far as custody goes, ms: its legs that stand by sequence, its milestones that stand in the order in which they happened. */
export interface ShipmentJourney {
  from: number
  to: number
  origin: string
  consignee: string
  legs: readonly CustodyLeg[]
  milestones: readonly CustodyMilestone[]
}

/** The evidence for the beginning of a stretch: a milestone, or the start. */
export type ShipmentBasis = MilestoneKind | 'start'
export type ShipmentStretch = Custody<ShipmentHolder, ShipmentBasis>

const terminal = (name: string | null): ShipmentHolder => ({ kind: 'terminal', name, legId: null })
const haulier = (leg: CustodyLeg | undefined): ShipmentHolder => ({
  ...{ kind: 'haulier', name: leg?.carrier ?? null, legId: leg?.id ?? null },
})
const carrierOn = (leg: CustodyLeg): ShipmentHolder =>
  leg.mode === 'road' ? haulier(leg) : { kind: 'carrier', name: leg.carrier, legId: leg.id }

interface Moment {
  journey: ShipmentJourney
  /** The milestone's own leg. */
  leg: CustodyLeg | undefined
  milestone: CustodyMilestone
  later: readonly CustodyMilestone[]
}
type Rule = (moment: Moment) => ShipmentHolder | null

const atTerminal: Rule = ({ milestone }) => terminal(milestone.placeName)

/** Aboard: of the leg that is named, else of the first one that goes by sea, air or rail. */
const aboard: Rule = ({ journey: { legs }, leg }) => {
  const own = leg ?? legs.find(({ mode }) => mode !== 'road') ?? legs[0]
  return own ? carrierOn(own) : null
}

/** Out of the origin, where no leg is named: on a lorry, whatever the first leg is. */
const departed: Rule = ({ journey: { legs }, leg }) => {
  if (leg) return carrierOn(leg)
  return haulier(legs[0]?.mode === 'road' ? legs[0] : undefined)
}

const unloadings: readonly MilestoneKind[] = ['discharged', 'transshipped', 'airReceivedFlight']

/** A vessel that has arrived holds the goods until they are unloaded, where that is told; a lorry at the end of its way until it delivers. */
const arrived: Rule = ({ journey: { legs }, leg, later, milestone }) => {
  if (!leg) return null
  if (leg.mode === 'road') return leg.id === legs.at(-1)?.id ? null : terminal(leg.toName)
  const isUnloaded = later.some(({ kind, legId }) => legId === leg.id && unloadings.includes(kind))
  return isUnloaded ? null : terminal(milestone.placeName ?? leg.toName)
}

/** Out of the port: on the road leg that follows, where one is planned. */
const fullOut: Rule = ({ journey: { legs }, leg }) => {
  const after = leg ? legs.slice(legs.indexOf(leg) + 1) : legs
  return haulier(leg?.mode === 'road' ? leg : after.findLast(({ mode }) => mode === 'road'))
}

const delivered: Rule = ({ journey: { legs, consignee }, leg, milestone }) =>
  !leg || leg.id === legs.at(-1)?.id
    ? { kind: 'consignee', name: consignee, legId: null }
    : terminal(milestone.placeName ?? leg.toName)

/** The holder whom a milestone gives the goods to; those that are missing move nothing. */
const rules: Partial<Record<MilestoneKind, Rule>> = {
  stuffed: ({ journey }) => ({ kind: 'origin', name: journey.origin, legId: null }),
  ...{ gateIn: atTerminal, airReceivedOnHand: atTerminal, loaded: aboard, airAccepted: aboard, departed, arrived },
  ...{ discharged: atTerminal, transshipped: atTerminal, airReceivedFlight: atTerminal, fullOut, delivered },
}

/** Goods that leave a place are no longer held by customs there. */
const leavings: readonly MilestoneKind[] = ['loaded', 'airAccepted', 'departed', 'fullOut', 'delivered']

const isSame = (a: ShipmentHolder, b: ShipmentHolder) => a.kind === b.kind && a.name === b.name && a.legId === b.legId

/** The stretches of custody of a shipment's goods: they fill its time, one after the other. */
export function custodyOfShipment(journey: ShipmentJourney): ShipmentStretch[] {
  const { legs, milestones, origin, from } = journey
  let below: ShipmentHolder = { kind: 'origin', name: origin, legId: null }
  let customs: ShipmentHolder | null = null
  const changes: Change<ShipmentHolder, ShipmentBasis>[] = [{ at: from, holder: below, basis: 'start' }]
  for (const [index, milestone] of milestones.entries()) {
    const { kind, at, legId, placeName } = milestone
    const leg = legs.find(({ id }) => id === legId)
    below = rules[kind]?.({ journey, leg, milestone, later: milestones.slice(index + 1) }) ?? below
    if (kind === 'customsHold') customs = { kind: 'customs', name: placeName, legId: null }
    if (kind === 'customsReleased' || leavings.includes(kind)) customs = null
    const holder: ShipmentHolder = customs ?? below
    const last = changes.at(-1)
    if (last && !isSame(last.holder, holder)) changes.push({ at, holder, basis: kind })
  }
  return stretchesOf(changes, journey)
}
