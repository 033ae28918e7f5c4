import type { Chart } from '@isotherm/contract/device-history.ts'

const intervalMs = 180_000
const iso = (at: number) => new Date(at).toISOString()
const noise = (index: number) => (Math.sin(index * 12.9898) * 43_758.5453) % 1

/**
 * The call's answer for a period of `count` readings if it left out none: a fridge that is too warm every afternoon,
 * with humidity, limits, excursions and a gap every thousand readings.
 */
export function answerOf(count: number, to: number): Chart {
  const from = to - (count - 1) * intervalMs
  const atMs = Array.from({ length: count }, (_, index) => from + index * intervalMs)
  const whereKnown = (value: (index: number) => number) =>
    atMs.map((_, index) => (index % 1_000 === 999 ? null : Math.round(value(index) * 100) / 100))
  const temperature = whereKnown((index) => 5 + Math.sin(index / 76) * 3.4 + noise(index))
  const humidity = whereKnown((index) => 55 + Math.sin(index / 130) * 20 + noise(index + 0.5) * 3)
  const days = Math.floor((count * intervalMs) / 86_400_000)
  return {
    bucketS: 0,
    atMs,
    temperature: { min: temperature, avg: temperature, max: temperature },
    humidity: { min: humidity, avg: humidity, max: humidity },
    batteryPct: null,
    lightLux: null,
    limits: [
      {
        from: iso(from),
        to: iso(to),
        temperatureMinC: 2,
        temperatureMaxC: 8,
        humidityMinPct: null,
        humidityMaxPct: 70,
      },
    ],
    excursions: Array.from({ length: days }, (_, day) => ({
      id: String(day + 1),
      measure: 'temperature' as const,
      side: 'above' as const,
      startAt: iso(from + day * 86_400_000 + 12 * 3_600_000),
      endAt: iso(from + day * 86_400_000 + 15 * 3_600_000),
      peak: 9.1,
      cause: null,
      note: null,
      peakAt: iso(from + day * 86_400_000 + 13 * 3_600_000),
    })),
    gaps: [],
  }
}
