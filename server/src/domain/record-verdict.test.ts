import type { StatsOfDevice, Verdict } from '@isotherm/contract/stats.ts'
import { expect, test } from 'vitest'
import { gapOfRecord, verdictOfRecord } from './record-verdict.ts'

const measured = (temperature: Verdict, humidity: Verdict = 'noLimits', count = 10) =>
  ({ temperature: { verdict: temperature, count: 10 }, humidity: { verdict: humidity, count } }) as StatsOfDevice

test.each<[string, StatsOfDevice[], Verdict]>([
  ['no devices', [], 'noData'],
  ['a device in range', [measured('inRange')], 'inRange'],
  ['the worst of several', [measured('inRange'), measured('outOfRange'), measured('incomplete')], 'outOfRange'],
  ['gaps beside devices in range', [measured('inRange'), measured('incomplete')], 'incomplete'],
  ['silence beside devices in range', [measured('inRange'), measured('noData')], 'noData'],
  ['humidity out of range', [measured('inRange', 'outOfRange')], 'outOfRange'],
  ['humidity with limits that was never measured', [measured('inRange', 'noData', 0)], 'inRange'],
  ['no limits anywhere', [measured('noLimits'), measured('noLimits')], 'noLimits'],
  ['a device without limits among devices in range', [measured('inRange'), measured('noLimits')], 'incomplete'],
  ['a device without limits beside one out of range', [measured('noLimits'), measured('outOfRange')], 'outOfRange'],
])('%s', (_, devices, verdict) => {
  expect(verdictOfRecord(devices)).toBe(verdict)
})

test('devices that are incomplete together were silent where one of them alone is incomplete, else one has no limits', () => {
  expect(gapOfRecord([measured('inRange'), measured('incomplete'), measured('noLimits')])).toBe('silent')
  expect(gapOfRecord([measured('inRange'), measured('noLimits')])).toBe('noLimits')
})
