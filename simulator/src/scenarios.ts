import type { Reading } from './protocol/wire.ts'

/** The devices that are simulated for a company. */
export const sampleKinds = ['fridge', 'freezer', 'van'] as const
export type SampleKind = (typeof sampleKinds)[number]

/** The effect of a scenario on a reading, so many minutes after it began. */
interface Effect {
  /** Degrees above what the device would measure without it. */
  warmerC?: number
  lux?: number
  /** Metres north and east of where the device stands. */
  moved?: readonly [north: number, east: number, speedKmh: number]
  /** The device keeps the reading, and sends it so many minutes after the scenario began. */
  sentAfterMin?: number
}

interface Scenario {
  device: SampleKind
  /** Until everything that it shows is over. */
  lengthMin: number
  effectAt(minute: number): Effect
}

/** The warming towards a limit while something is wrong, and the cooling after it. */
const bump = (
  minute: number,
  { until, by, warms, cools }: Record<'until' | 'by' | 'warms' | 'cools', number>,
): number => {
  const warmed = (at: number) => by * (1 - Math.exp(-at / warms))
  return minute <= until ? warmed(minute) : warmed(until) * Math.exp(-(minute - until) / cools)
}

/** The corners of the way of the van, in metres from its yard, which is its beginning and its end. */
const corners: readonly (readonly [north: number, east: number])[] = [
  [0, 0],
  [1_800, 600],
  [4_200, 2_500],
  [5_000, 6_000],
  [2_600, 7_400],
  [300, 3_900],
  [0, 0],
]
const routeMin = 60

function onRoute(minute: number): NonNullable<Effect['moved']> {
  const legs = corners.slice(1).map(([north, east], index) => {
    const [fromNorth, fromEast] = corners[index] ?? [0, 0]
    return { fromNorth, fromEast, north, east, metres: Math.hypot(north - fromNorth, east - fromEast) }
  })
  const metres = legs.reduce((sum, leg) => sum + leg.metres, 0)
  let left = (minute / routeMin) * metres
  for (const leg of legs) {
    const share = left / leg.metres
    if (share <= 1) {
      const between = (from: number, to: number) => from + (to - from) * share
      return [between(leg.fromNorth, leg.north), between(leg.fromEast, leg.east), (metres / routeMin) * 0.06]
    }
    left -= leg.metres
  }
  return [0, 0, 0]
}

const silentMin = 120

export const scenarios = {
  doorOpen: {
    device: 'fridge',
    lengthMin: 120,
    effectAt: (minute) => ({
      warmerC: bump(minute, { until: 40, by: 10, warms: 14, cools: 12 }),
      ...(minute <= 40 && { lux: 260 }),
    }),
  },
  powerCut: {
    device: 'fridge',
    lengthMin: 240,
    effectAt: (minute) => ({
      warmerC: bump(minute, { until: silentMin, by: 9, warms: 90, cools: 20 }),
      ...(minute < silentMin && { sentAfterMin: silentMin }),
    }),
  },
  freezerFails: {
    device: 'freezer',
    lengthMin: 720,
    effectAt: (minute) => ({ warmerC: bump(minute, { until: 480, by: 20, warms: 200, cools: 50 }) }),
  },
  vanRoute: {
    device: 'van',
    lengthMin: 90,
    effectAt: (minute) => (minute <= routeMin ? { moved: onRoute(minute) } : {}),
  },
} as const satisfies Record<string, Scenario>
export type ScenarioKind = keyof typeof scenarios

/** A scenario as it was begun. */
export interface Begun {
  kind: ScenarioKind
  at: Date
}

const metresPerDegree = 111_195
const minuteMs = 60_000

/** A reading as the device measures it while scenarios go on, and when it sends it; `home`: where the device stands. */
export function within(
  begun: readonly Begun[],
  device: SampleKind,
  reading: Reading,
  home: { lat: number; lon: number } | null,
): { reading: Reading; sentAt: number } {
  const at = Date.parse(reading.at)
  let changed = reading
  let sentAt = at
  for (const { kind, at: began } of begun) {
    const minute = (at - began.getTime()) / minuteMs
    const scenario: Scenario = scenarios[kind]
    if (scenario.device !== device || minute < 0 || minute > scenario.lengthMin) continue
    const { warmerC = 0, lux, moved, sentAfterMin } = scenario.effectAt(minute)
    changed = { ...changed, temperatureC: Math.round((changed.temperatureC + warmerC) * 10) / 10 }
    if (lux !== undefined) changed = { ...changed, lightLux: lux }
    if (moved && home) changed = { ...changed, ...placed(home, moved) }
    if (sentAfterMin !== undefined) sentAt = Math.max(sentAt, began.getTime() + sentAfterMin * minuteMs)
  }
  return { reading: changed, sentAt }
}

function placed({ lat, lon }: { lat: number; lon: number }, [north, east, speedKmh]: NonNullable<Effect['moved']>) {
  const round = (value: number) => Math.round(value * 1e6) / 1e6
  const perDegreeEast = metresPerDegree * Math.cos((lat * Math.PI) / 180)
  const speed = Math.round(speedKmh * 10) / 10
  return {
    lat: round(lat + north / metresPerDegree),
    lon: round(lon + east / perDegreeEast),
    accuracyM: 6,
    speedKmh: speed,
  }
}
