/** The readings of one device, by number: a fridge around 5 degrees that is opened now and then. Deterministic. */
export interface BenchReading {
  at: number
  temperatureCenti: number
  humidityCenti: number
  batteryPct: number
}

export const intervalMs = 180_000

// A cheap hash of two numbers to [0, 1): the same rows for every part of a run.
function noise(a: number, b: number): number {
  let x = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  return ((x ^ (x >>> 13)) >>> 0) / 4_294_967_296
}

export function readingOf(device: number, index: number, firstAt: number): BenchReading {
  const opened = noise(device, index >> 4) < 0.02 ? 450 : 0
  return {
    at: firstAt + index * intervalMs,
    temperatureCenti: 500 + opened + Math.round(noise(device, index) * 200 - 100),
    humidityCenti: 4500 + Math.round(noise(index, device) * 2000),
    batteryPct: 100 - (index % 100),
  }
}

export const jsonOf = ({ at, temperatureCenti, humidityCenti, batteryPct }: BenchReading): string =>
  `{"at":"${new Date(at).toISOString()}","temperatureC":${temperatureCenti / 100},"humidityPct":${humidityCenti / 100},"batteryPct":${batteryPct}}`
