import type { FenceCondition, ValueCondition } from './alarm-conditions.ts'
import { FenceIndex } from './fence-index.ts'
import type { WatchedPlace } from './place-crossings.ts'
import { keyOf, type WatchedAlarm } from './watched-alarm.ts'

/** A condition that readings are judged by, with its place among all of them. */
export interface Rule<C = ValueCondition | FenceCondition> {
  order: number
  alarm: WatchedAlarm
  condition: C
}

/** The conditions of alarms, as the judging of readings looks for them. */
export interface Rules {
  values: readonly Rule[]
  byFence: ReadonlyMap<string, readonly Rule[]>
  /** Those of fences, by `keyOf`. */
  byKey: ReadonlyMap<string, readonly Rule[]>
  index: FenceIndex
}

/** The places whose crossing is told. */
export interface PlaceList {
  byKey: ReadonlyMap<string, { nth: number; place: WatchedPlace }>
  index: FenceIndex
}

// By the list itself: the lists of a device are replaced, never changed.
const knownRules = new WeakMap<readonly WatchedAlarm[], Rules>()
const knownPlaces = new WeakMap<readonly WatchedPlace[], PlaceList>()

/** The conditions of a list of alarms; made once per list. */
export function rulesOf(alarms: readonly WatchedAlarm[]): Rules {
  const known = knownRules.get(alarms)
  if (known) return known
  const values: Rule[] = []
  const fences: Rule<FenceCondition>[] = []
  let order = 0
  for (const alarm of alarms)
    for (const condition of alarm.conditions) {
      if (condition.kind === 'value') values.push({ order, alarm, condition })
      else if (condition.kind === 'fence') fences.push({ order, alarm, condition })
      order++
    }
  const rules = {
    values,
    byFence: Map.groupBy(fences, ({ condition }) => condition.fence.key),
    byKey: Map.groupBy(fences, ({ alarm, condition }) => keyOf(alarm.id, condition.name)),
    index: new FenceIndex(fences.map(({ condition }) => condition.fence)),
  }
  knownRules.set(alarms, rules)
  return rules
}

/** The same of a list of places; made once per list. */
export function placesOf(places: readonly WatchedPlace[]): PlaceList {
  const known = knownPlaces.get(places)
  if (known) return known
  const list = {
    byKey: new Map(places.map((place, nth) => [place.fence.key, { nth, place }])),
    index: new FenceIndex(places.map(({ fence }) => fence)),
  }
  knownPlaces.set(places, list)
  return list
}
