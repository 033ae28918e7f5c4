import type {
  ChamberSpec,
  Country,
  DoorHabit,
  Limits,
  Mishaps,
  PowerHabit,
  ProbeSpec,
  TrackerType,
  World,
} from '../spec.ts'

/** One tracker in the fleet's lists; `fleet` adds identity and defaults. */
export type Plan = {
  name: string
  tag: string
  type: TrackerType
  limits: Limits
  link: 'mqtt' | 'http'
  intervalS: number
  movingIntervalS?: number
  visibility?: 'private' | 'public'
  licenceMonths?: number
  probes?: readonly ProbeSpec[]
  world: World
}

export type CountryFleet = { country: Country; timeZone: string; plans: readonly Plan[] }

export const chilled: Limits = { preset: 'refrigerated', temperatureMinC: 2, temperatureMaxC: 8 }
export const roomTemperature: Limits = {
  preset: 'roomTemperature',
  temperatureMinC: 15,
  temperatureMaxC: 25,
  humidityMaxPct: 70,
}
/** Fruit that is treated by cold: colder it suffers, warmer the pests live. */
export const inFruit: Limits = { preset: 'coldTreated', temperatureMinC: -1.5, temperatureMaxC: 2.2 }
export const frozen: Limits = { preset: 'frozen', temperatureMinC: -25, temperatureMaxC: -15 }

export const doors = {
  counter: { fromH: 8, toH: 20, perDay: 24, meanS: 18, sundayShare: 0.3, lux: 260 },
  ward: { fromH: 7, toH: 19, perDay: 15, meanS: 25, sundayShare: 0.5, lux: 220 },
  warehouse: { fromH: 6, toH: 18, perDay: 18, meanS: 60, sundayShare: 0.1, lux: 160 },
  shut: { fromH: 9, toH: 16, perDay: 0, meanS: 30, sundayShare: 0, lux: 0 },
  archive: { fromH: 9, toH: 16, perDay: 6, meanS: 30, sundayShare: 0, lux: 240 },
} as const satisfies Record<string, DoorHabit>

/** A van on the road takes three samples for each report it sends. */
export const onTheRoad = { type: 'van', intervalS: 180, movingIntervalS: 60 } as const

/** The world of something that stands in a room; `outsideShare` of the outside temperature is felt there. */
export function room(
  at: readonly [number, number],
  outsideShare: number,
  chambers: readonly ChamberSpec[],
  habits: { doors: DoorHabit; power: PowerHabit },
  mishaps: Mishaps = {},
): World {
  return { kind: 'fixed', at, outsideShare, chambers, mishaps, ...habits }
}
