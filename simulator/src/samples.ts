import { chambers } from './chambers.ts'
import { chilled, doors, frozen, room } from './fleets/plan.ts'
import { type Timeline, timelineOf } from './physics/timeline.ts'
import type { Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import type { SampleKind } from './scenarios.ts'
import type { ChamberSpec, Limits, TrackerSpec } from './spec.ts'

/** Where a sample device stands that has no other place. */
export const samplePlace = { lat: 6.5095, lon: 3.3711 }
const habits = { doors: { ...doors.counter, meanS: 9 }, power: { cutsPerDay: 0.3, meanMin: 8 } }
const steady = { doors: doors.archive, power: { cutsPerDay: 0, meanMin: 0 } }

const specOf = (type: SampleKind, name: string, limits: Limits, world: TrackerSpec['world']): TrackerSpec => ({
  ...{ name, tag: '', type, limits, link: 'http', intervalS: 300, visibility: 'public', licenceMonths: 12 },
  probes: [{ probe: 1, name, limits }],
  world,
  ...{ imei: '001000000000000', country: 'NG', timeZone: 'Africa/Lagos', seed: type },
})
const worldOf = (
  chamber: ChamberSpec,
  its: Pick<typeof habits, 'doors' | 'power'> | typeof steady,
  ajarDays?: number,
) =>
  room([samplePlace.lat, samplePlace.lon], 1, [chamber], its, ajarDays === undefined ? {} : { doorAjarDays: ajarDays })

/** The fridge of a shop is opened all day, left ajar one day of two or three, with a power cut now and then. The others run steadily. */
const specs: Record<SampleKind, TrackerSpec> = {
  fridge: specOf('fridge', 'Fridge', chilled, worldOf({ ...chambers.pharmacyFridge, setC: 5, doorPerH: 9 }, habits, 2)),
  freezer: specOf('freezer', 'Freezer', frozen, worldOf(chambers.chestFreezer, steady)),
  van: specOf('van', 'Van', chilled, worldOf(chambers.chilledVan, steady)),
}
const timelines: Partial<Record<SampleKind, Timeline>> = {}

function timelineFor(kind: SampleKind): Timeline {
  const known = timelines[kind] ?? timelineOf(specs[kind])
  timelines[kind] = known
  return known
}

/**
 * The readings of a sample device after an instant and until another, at its place or without one. Asked again, it says the same: all
 * sample devices of a kind of an installation are one.
 */
export const sampleReadings = (
  kind: SampleKind,
  span: { after: Date; until: Date },
  intervalS: number,
  place: { lat: number; lon: number } | null,
): Reading[] => {
  const [spec, timeline] = [specs[kind], timelineFor(kind)]
  return sampleTimes(spec, timeline, span.after.getTime() / 1000, span.until.getTime() / 1000, intervalS)
    .flatMap((at) => readingsAt(spec, timeline, at, intervalS))
    .map((reading) => placed(reading, place))
}

function placed({ lat, lon, ...reading }: Reading, place: { lat: number; lon: number } | null): Reading {
  if (lat === undefined || lon === undefined || !place) return reading
  const round = (value: number) => Math.round(value * 1e6) / 1e6
  return {
    ...reading,
    lat: round(place.lat + lat - samplePlace.lat),
    lon: round(place.lon + lon - samplePlace.lon),
  }
}
