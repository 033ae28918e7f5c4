import { chambers } from './chambers.ts'
import { chilled, doors, room } from './fleets/plan.ts'
import { timelineOf } from './physics/timeline.ts'
import type { Reading } from './protocol/wire.ts'
import { readingsAt, sampleTimes } from './sampling.ts'
import type { TrackerSpec } from './spec.ts'

const [lat, lon] = [6.5095, 3.3711]
const name = 'Fridge'

/** A fridge of a shop: opened all day, left ajar one day of two or three, with a power cut now and then. */
const spec: TrackerSpec = {
  name,
  tag: '',
  type: 'fridge',
  limits: chilled,
  link: 'http',
  intervalS: 300,
  visibility: 'public',
  licenceMonths: 12,
  probes: [{ probe: 1, name, limits: chilled }],
  world: room(
    [lat, lon],
    1,
    [{ ...chambers.pharmacyFridge, setC: 5, doorPerH: 9 }],
    { doors: { ...doors.counter, meanS: 9 }, power: { cutsPerDay: 0.3, meanMin: 8 } },
    { doorAjarDays: 2 },
  ),
  imei: '001000000000000',
  country: 'NG',
  timeZone: 'Africa/Lagos',
  seed: 'fridge',
}
const timeline = timelineOf(spec)

/**
 * The readings of the fridge after an instant and until another, at its place or without one. Asked again, it says the same: all
 * sample devices of an installation are this one.
 */
export const fridgeReadings = (
  after: Date,
  until: Date,
  intervalS: number,
  place: { lat: number; lon: number } | null,
): Reading[] =>
  sampleTimes(spec, timeline, after.getTime() / 1000, until.getTime() / 1000, intervalS)
    .flatMap((at) => readingsAt(spec, timeline, at, intervalS))
    .map((reading) => placed(reading, place))

function placed({ lat: y, lon: x, ...reading }: Reading, place: { lat: number; lon: number } | null): Reading {
  if (y === undefined || x === undefined || !place) return reading
  return {
    ...reading,
    lat: Math.round((place.lat + y - lat) * 1e6) / 1e6,
    lon: Math.round((place.lon + x - lon) * 1e6) / 1e6,
  }
}
