import type { RoadId } from './routes/roads.ts'

/** Limits a measuring point is judged by. Humidity is optional. */
export type Limits = {
  /** Its name among the contract's presets; a cold treatment has limits of its own. */
  preset: 'refrigerated' | 'roomTemperature' | 'frozen' | 'coldTreated'
  temperatureMinC: number
  temperatureMaxC: number
  humidityMinPct?: number
  humidityMaxPct?: number
}

/** One measuring point. A tracker with two of them appears as two devices on (imei, probe). */
export type ProbeSpec = { probe: number; name: string; limits: Limits }

export type TrackerType = 'fridge' | 'freezer' | 'cold-room' | 'van' | 'container' | 'parcel' | 'cold-box'
export type Country = 'NG' | 'KE' | 'GH' | 'ZA'

/** One virtual tracker: what its owner would type in, and the world it lives in. */
export type TrackerSpec = {
  /** 15 digits with a valid Luhn check digit. */
  imei: string
  type: TrackerType
  name: string
  tag: string
  visibility: 'private' | 'public'
  /** Seconds between two reports. */
  intervalS: number
  /** Seconds between two samples while it moves; they travel together with the next report. */
  movingIntervalS?: number
  limits: Limits
  probes: readonly ProbeSpec[]
  country: Country
  timeZone: string
  licenceMonths: number
  /** The protocol this tracker speaks. */
  link: 'mqtt' | 'http'
  seed: string
  world: World
}

/** A refrigerated (or passive, ice-packed) space. Rates are per hour; see chamber.ts for the equations. */
export type ChamberSpec = {
  /** Middle of the thermostat's band, Celsius. */
  setC: number
  /** Half the thermostat's band. */
  bandC: number
  /** Leak from outside to the air inside. */
  wallPerH: number
  /** Exchange between air and load. */
  loadPerH: number
  /** Heat capacity of the load, in capacities of the air. */
  loadCapacity: number
  /** Cooling power, Celsius of air per hour. 0 = passive. */
  coolingCPerH: number
  /** Exchange with outside through a fully open door. */
  doorPerH: number
  /** Time constant of the sensor and its glycol bottle, seconds. */
  sensorS: number
  defrost?: { everyH: number; forMin: number; heatCPerH: number }
  /** Ice or gel packs: melt at this temperature and take `capacityCH` (Celsius x hours of load) to melt. */
  pack?: { meltsAtC: number; capacityCH: number }
  /** Relative humidity the space settles at while cooling and while not. */
  dryPct: number
  dampPct: number
}

/** Door openings of a working day, local time. */
export type DoorHabit = {
  fromH: number
  toH: number
  perDay: number
  meanS: number
  /** Openings on a Sunday as a share of a working day's. */
  sundayShare: number
  lux: number
}

/** Power cuts; after `backupAfterMin` a generator or inverter takes over (absent: there is none). */
export type PowerHabit = { cutsPerDay: number; meanMin: number; backupAfterMin?: number }

/** Faults, each on average every so many days. */
export type Mishaps = { doorAjarDays?: number; compressorDays?: number; thermostatDays?: number }

export type FixedWorld = {
  kind: 'fixed'
  at: readonly [number, number]
  /** Share of the outside temperature felt in the room; the rest is a 24 C room. */
  outsideShare: number
  chambers: readonly ChamberSpec[]
  doors: DoorHabit
  power: PowerHabit
  mishaps: Mishaps
}

export type VanWorld = {
  kind: 'van'
  road: RoadId
  /** 'return': there and back each working day. 'alternate': there one day, back the next. */
  rhythm: 'return' | 'alternate'
  /** Local hour of departure. */
  departH: number
  /** Share of the road's usual speed this vehicle drives. */
  pace: number
  chambers: readonly ChamberSpec[]
  mishaps: Mishaps
}

/** A cold box that is packed with ice once a week and taken to villages; its battery runs for `batteryH` after a charge. */
export type ColdBoxWorld = {
  kind: 'cold-box'
  road: RoadId
  /** Weekday it is charged and packed (0 = Sunday), at `packH` local time. */
  packDay: number
  packH: number
  /** Days in a row it goes out and comes back. */
  outingDays: number
  batteryH: number
  chambers: readonly ChamberSpec[]
}

export type ContainerWorld = { kind: 'container'; chambers: readonly ChamberSpec[] }
export type ParcelWorld = { kind: 'parcel'; chambers: readonly ChamberSpec[] }
export type World = FixedWorld | VanWorld | ColdBoxWorld | ContainerWorld | ParcelWorld

/** Fixed offset of the zone from UTC in hours; none of these countries shifts its clocks. */
export const utcOffsetH: Record<Country, number> = { NG: 1, KE: 3, GH: 0, ZA: 2 }
