import type { AlarmRule, FenceRule } from '@isotherm/contract/alarm-rules.ts'
import { localeNames } from '@isotherm/contract/common.ts'
import { expect, test } from 'vitest'
import { ruleIn, scheduleIn } from './rule-words.ts'
import { buildAlarm } from './test/build-alarm.ts'
import { wordsOf } from './test/texts.ts'

const t = await wordsOf('en', 'alarms')
const plain = (text: string) => text.replace(/\s/g, ' ')
const value = buildAlarm().rule as Extract<AlarmRule, { kind: 'value' }>
const said = (rule: AlarmRule, places: Parameters<typeof ruleIn>[1] = []) => plain(ruleIn(rule, places, t))
const fence: FenceRule = {
  kind: 'fence',
  direction: 'in',
  geofenceIds: ['3', '4'],
  pointOfInterestIds: [],
  dwellMinutes: 15,
}
const depot = { kind: 'geofence', id: '3', name: 'Depot' } as const

test('a value rule names each limit and how long', () => {
  expect(said(value)).toBe('Temperature above 8.0 °C for 10 min')
  expect(said({ ...value, temperatureMinC: 2, batteryMinPct: 20, delayMinutes: 0 })).toBe(
    'Temperature below 2.0 °C or above 8.0 °C or battery below 20 %',
  )
})

test('a fence rule names its places, and counts those that are gone', () => {
  expect(said(fence, [depot])).toBe('Enters Depot or a deleted place and stays so for 15 min')
  expect(said({ ...fence, direction: 'out', geofenceIds: ['3'], dwellMinutes: 0 }, [depot])).toBe('Leaves Depot')
})

test('silence is named by its length', () => {
  expect(said({ kind: 'noData', afterMinutes: 90 })).toBe('No data for 1 hr 30 min')
})

test('minutes in total are told with their window', () => {
  const total = { ...value, delayMinutes: 0, cumulative: { minutes: 60, window: '24h' as const } }
  expect(said(total)).toContain('for more than 1 hr in total within 24 h')
  expect(said({ ...total, cumulative: { minutes: 20, window: 'record' } })).toContain(
    'for more than 20 min in total within a running record',
  )
})

test('a schedule names days, hours and zone', () => {
  const schedule = { zone: 'Africa/Lagos', days: [5, 1], from: '08:00', to: '18:00' }
  expect(scheduleIn(schedule, t)).toBe('Mon and Fri, 08:00 to 18:00 (Africa/Lagos)')
  expect(scheduleIn({ ...schedule, days: [1, 2, 3, 4, 5, 6, 7], to: '08:00' }, t)).toBe(
    'every day, 24 hours from 08:00 (Africa/Lagos)',
  )
  expect(scheduleIn(null, t)).toBe('Always')
})

test.each(localeNames)('every kind of rule has words in %s', async (language) => {
  const words = await wordsOf(language, 'alarms')
  const limits = { humidityMinPct: 10, humidityMaxPct: 80, batteryMaxPct: 99, batteryMinPct: 5, temperatureMinC: 1 }
  const rules: AlarmRule[] = [
    { ...value, ...limits },
    ...(['in', 'out', 'both'] as const).map((direction): AlarmRule => ({ ...fence, direction })),
    ...(['24h', 'record'] as const).map((window): AlarmRule => ({ ...value, cumulative: { minutes: 30, window } })),
    { kind: 'noData', afterMinutes: 30 },
  ]
  for (const rule of rules) expect(ruleIn(rule, [depot], words)).not.toMatch(/\{\{|undefined|rule\./)
})
