import { existsSync, readFileSync } from 'node:fs'
import type { Point } from '../../server/src/domain/measures.ts'
import type { BreachLimits } from '../../server/src/domain/time-to-breach.ts'
import { fleet } from '../../simulator/src/fleet.ts'
import { historyOf } from '../../simulator/src/history.ts'

/** The measurements of one device, with its limits. */
export interface BenchSeries {
  kind: string
  points: Point[]
  limits: BreachLimits
}

const period = [new Date('2026-03-02'), new Date('2026-03-30')] as const

/** Four weeks of the simulator's trackers; another seed is another fleet with other lives. */
export function simulated(seeds: readonly string[]): BenchSeries[] {
  return seeds.flatMap((seed) =>
    fleet(seed).flatMap((spec) => {
      const byProbe = new Map<number, Point[]>(spec.probes.map(({ probe }) => [probe, []]))
      for (const { readings } of historyOf(spec, ...period))
        for (const { at, probe = 1, temperatureC } of readings) {
          const points = byProbe.get(probe)
          const point = { at: Date.parse(at), value: Math.round(temperatureC * 100) }
          if (point.at > (points?.at(-1)?.at ?? 0)) points?.push(point)
        }
      return spec.probes.map(({ probe, limits }) => ({
        kind: spec.type,
        points: byProbe.get(probe) ?? [],
        limits: {
          min: limits.temperatureMinC * 100,
          max: limits.temperatureMaxC * 100,
          intervalMs: spec.intervalS * 1000,
        },
      }))
    }),
  )
}

const file = '/work/shared/data/ambient_temperature_f.csv'

/**
 * A real machine room, hourly, in Celsius (Numenta NAB); its limits hold 96 of 100 values of its first half, and its second
 * half is measured. None where the file is absent.
 */
export function machineRoom(): BenchSeries[] {
  if (!existsSync(file)) return []
  const points = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [at = '', fahrenheit = ''] = line.split(',')
      return { at: Date.parse(`${at.replace(' ', 'T')}Z`), value: Math.round(((Number(fahrenheit) - 32) / 1.8) * 100) }
    })
  const half = Math.floor(points.length / 2)
  const known = points
    .slice(0, half)
    .map((point) => point.value)
    .sort((a, b) => a - b)
  const limits = {
    min: known[Math.floor(half * 0.02)] ?? null,
    max: known[Math.floor(half * 0.98)] ?? null,
    intervalMs: 3_600_000,
  }
  return [{ kind: 'machine room (real)', points: points.slice(half), limits }]
}
