import { conditionSteps } from './conditions.ts'
import type { EpcisDocument } from './epcis.ts'
import type { EpcisEvent } from './events.ts'

/** The parts of an event that say which one it is: without readings and papers. */
const briefFields: readonly string[] = [
  ...['type', 'eventID', 'eventTime', 'eventTimeZoneOffset', 'epcList', 'parentID', 'childEPCs', 'childQuantityList'],
  ...['action', 'bizStep', 'disposition', 'readPoint', 'errorDeclaration', 'iso:product'],
]

/** An event with no more than an error declaration of it needs. */
export const briefOf = (event: EpcisEvent): EpcisEvent =>
  Object.fromEntries(Object.entries(event).filter(([name]) => briefFields.includes(name))) as EpcisEvent

/** A document of which parts were sent to a receiver: events from `from` on and before `upTo`. */
export interface SentDocument {
  eventList: readonly EpcisEvent[]
  /** `unknown`: nobody knows whether the receiver has them. */
  parts: readonly { from: number; upTo: number; outcome: 'accepted' | 'unknown' }[]
}

/** An event that a receiver perhaps has, not in error, and the ids of all that were told with it. */
export interface HeldEvent {
  event: EpcisEvent
  beside: ReadonlySet<string>
}

const plainIds = (events: readonly EpcisEvent[]) =>
  new Set(events.flatMap(({ eventID, errorDeclaration }) => (errorDeclaration ? [] : [eventID])))

/** The events that a receiver perhaps has, of documents in the order in which they were sent. One is gone where its error declaration was accepted. */
export function heldEvents(sent: readonly SentDocument[]): HeldEvent[] {
  const held = new Map<string, HeldEvent>()
  for (const { eventList, parts } of sent) {
    const beside = plainIds(eventList)
    for (const { from, upTo, outcome } of parts)
      for (const event of eventList.slice(from, upTo)) {
        if (!event.errorDeclaration) held.set(event.eventID, { event, beside })
        else if (outcome === 'accepted') held.delete(event.eventID)
      }
  }
  return [...held.values()]
}

/** The part of an event by which one that takes its place is known. Conditions are told of a day, things that are joined by their names. */
function subjectOf(event: EpcisEvent): string {
  const { type, bizStep, eventTime, parentID, childEPCs, epcList } = event
  const day = eventTime.slice(0, 10)
  if (conditionSteps.includes(bizStep)) return `conditions ${day}`
  if (bizStep === 'commissioning') return JSON.stringify([bizStep, epcList])
  if (bizStep === 'packing') return JSON.stringify([bizStep, parentID, event['iso:product']])
  return type === 'AssociationEvent' ? JSON.stringify([bizStep, childEPCs]) : `${bizStep} ${day}`
}

/**
 * The events that a receiver perhaps has and that the new document no longer tells: withdrawn by an error declaration, each naming the events that
 * take its place. Where the new document hides devices, what it leaves out may still be true, and nothing is withdrawn.
 */
export function withdrawnEvents(held: readonly HeldEvent[], after: EpcisDocument, at: Date): EpcisEvent[] {
  if (after['iso:hiddenDevices'] > 0) return []
  const told = after.epcisBody.eventList
  const ids = new Set(told.map(({ eventID }) => eventID))
  return held
    .filter(({ event }) => !ids.has(event.eventID))
    .map(({ event: old, beside }) => {
      const isInstead = (one: EpcisEvent) =>
        !one.errorDeclaration && !beside.has(one.eventID) && subjectOf(one) === subjectOf(old)
      const correctiveEventIDs = told.filter(isInstead).map(({ eventID }) => eventID)
      return {
        ...old,
        errorDeclaration: {
          ...{ declarationTime: at.toISOString(), reason: 'incorrect_data' },
          ...(correctiveEventIDs.length > 0 ? { correctiveEventIDs } : {}),
        },
      }
    })
}
