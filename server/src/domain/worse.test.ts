import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { expect, test } from 'vitest'
import { conditionsOf } from './alarm-conditions.ts'
import { isWorse, worseBy } from './worse.ts'

const conditionOf = (rule: object) => {
  const [condition] = conditionsOf(AlarmRule.parse(rule), new Map())
  if (!condition) throw new Error('no condition')
  return condition
}

test.each([
  [{ kind: 'value', temperatureMaxC: 8, deadbandC: 0 }, 50],
  [{ kind: 'value', temperatureMaxC: 8, deadbandC: 1.5 }, 150],
  [{ kind: 'value', temperatureMinC: 2, deadbandC: 1 }, 100],
  [{ kind: 'value', humidityMaxPct: 60, deadbandPct: 1 }, 200],
  [{ kind: 'value', batteryMinPct: 20 }, 500],
  [{ kind: 'noData', afterMinutes: 30 }, null],
])('%j fires again when it is worse by more than %s hundredths', (rule, expected) => {
  expect(worseBy(conditionOf(rule))).toBe(expected)
})
test.each([
  [800, 1230, 1280, false],
  [800, 1230, 1281, true],
  [800, 1230, 900, false],
  [200, -100, -150, false],
  [200, -100, -151, true],
])('limit %i, known %i, peak %i: %s', (limit, known, peak, expected) => {
  expect(isWorse(limit, known, peak, 50)).toBe(expected)
})
