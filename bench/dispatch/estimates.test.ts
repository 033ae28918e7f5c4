import { expect, test } from 'vitest'
import { type RoadId, roads } from '../../simulator/src/routes/roads.ts'
import { dataIsThere } from '../replay/data.ts'
import { later, leftOut, scoreOf } from './held-out.ts'
import { realTrips, simulatedTrips } from './trips.ts'

const ids = Object.keys(roads) as RoadId[]

test('between half and three quarters of arrivals of simulated vans are within the interval', () => {
  const score = scoreOf(ids.flatMap((id) => later(simulatedTrips(id, 60), 10_000)))
  expect(score.estimates).toBeGreaterThan(10_000)
  expect(score.withinPct).toBeGreaterThan(50)
  expect(score.withinPct).toBeLessThan(75)
  expect(score.error).toBeLessThan(score.straightError / 4)
  expect(score.meanError).toBeLessThan(score.straightMeanError / 4)
})

test.skipIf(!dataIsThere())(
  'the same holds for real drives, walks and rides (skipped where shared/data is absent)',
  () => {
    const score = scoreOf(leftOut(realTrips(), 300))
    expect(score.withinPct).toBeGreaterThan(50)
    expect(score.withinPct).toBeLessThan(75)
    expect(score.error).toBeLessThan(score.straightError / 2)
  },
)
