import { expect, test } from 'vitest'
import { rulesOf } from '../../domain/rules.ts'
import type { FixRow } from './path-queries.ts'
import { believable, cutReadings, cutSamples } from './path-segments.ts'

const minute = 60_000
const hour = 60 * minute
const rules = rulesOf([], [{ from: Number.NEGATIVE_INFINITY, intervalS: 600 }])
const fix = (minutes: number): FixRow => ({ at: minutes * minute, lat: 1, lon: 1, temperature: null, humidity: null })
const times = (segments: FixRow[][]) => segments.map((segment) => segment.map(({ at }) => at / minute))

test('readings without a fix hold a path together; silence cuts it', () => {
  const blind = (minutes: number) => ({ ...fix(minutes), lat: null, lon: null })
  const readings = [blind(0), fix(10), blind(20), blind(50), fix(80), fix(111), blind(150), fix(160)]
  expect(times(cutReadings(readings, rules))).toEqual([[10, 80], [111], [160]])
})

test('samples are cut by a silence that fits between them, and by no other', () => {
  const fixes = [fix(5), fix(125), fix(130), fix(245), fix(365)]
  const silences = [
    // Longer than the time between any two samples around it, so it is not there.
    { hour: 0, lengthMs: 3 * hour },
    { hour: hour * 2, lengthMs: 40 * minute },
    // Three intervals are no silence.
    { hour: hour * 4, lengthMs: 30 * minute },
  ]
  expect(times(cutSamples(fixes, silences, rules))).toEqual([
    [5, 125, 130],
    [245, 365],
  ])
  expect(times(cutSamples(fixes, [], rules))).toEqual([[5, 125, 130, 245, 365]])
  expect(cutSamples([], silences, rules)).toEqual([])
})

test('a fix that nothing could have reached is left out, across segments too; a flight stays', () => {
  const at = (minutes: number, degrees: number) => ({ ...fix(minutes), lat: degrees * 1e7 })
  const road = [at(0, 1), at(10, 1.1), at(12, 40), at(20, 1.2)]
  expect(times(believable([road, [at(60, 1.3)]]))).toEqual([[0, 10, 20], [60]])
  expect(times(believable([[at(0, 1), at(10, 1)], [at(11, 50)], [at(30, 1.1)]]))).toEqual([[0, 10], [30]])
  const flight = [at(0, 1), at(60, 9), at(120, 17)]
  expect(times(believable([flight]))).toEqual([[0, 60, 120]])
})
