import { conditionNames, cumulativeWindows } from '@isotherm/contract/alarm-rules.ts'
import { localeNames } from '@isotherm/contract/common.ts'
import { expect, test } from 'vitest'
import { buildTrigger } from './test/build-alarm.ts'
import { wordsOf } from './test/texts.ts'
import { happenedIn } from './trigger-words.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const t = await wordsOf('en', 'triggers')
const plain = (text: string) => text.replace(/\s/g, ' ')
const said = (over: Parameters<typeof buildTrigger>[0]) => plain(happenedIn(buildTrigger(over), t, now))

test('a trigger that goes on says for how long until now, and how far it went', () => {
  expect(said({})).toBe('Van 3 above 8.0 °C for 12 min, peak 9.4 °C')
})

test('one that is over says how long it lasted', () => {
  expect(said({ normalAt: '2026-11-20T11:53:00.000Z' })).toBe('Van 3 above 8.0 °C for 5 min, peak 9.4 °C')
})

test('a value below its limit has a lowest, with a true minus sign', () => {
  expect(said({ condition: 'temperatureMin', limit: -20, peak: -24.5 })).toBe(
    'Van 3 below −20.0 °C for 12 min, lowest −24.5 °C',
  )
})

test('percent, silence and places have their own words; a deleted place has no name', () => {
  expect(said({ condition: 'batteryMin', limit: 20, peak: 12 })).toBe(
    'Van 3: battery below 20 % for 12 min, lowest 12 %',
  )
  expect(said({ condition: 'noData', limit: 60, peak: null })).toBe('Van 3 silent for 12 min')
  expect(said({ condition: 'in', fence: 'Depot' })).toBe('Van 3 inside Depot for 12 min')
  expect(said({ condition: 'out', fence: null })).toBe('Van 3 outside a deleted place for 12 min')
})

test('one of minutes in total says how many were allowed, and within what', () => {
  expect(said({ cumulative: { minutes: 60, window: '24h' } })).toBe(
    'Van 3 above 8.0 °C for more than 1 hr in total within 24 h, peak 9.4 °C',
  )
})

test('seconds are said only where there is no minute', () => {
  expect(said({ breachAt: '2026-11-20T11:54:20.000Z' })).toContain('for 5 min,')
  expect(said({ breachAt: '2026-11-20T11:59:20.000Z' })).toContain('for 40 sec,')
})

test('a breach by a clock ahead of ours has lasted no time, not less', () => {
  expect(said({ breachAt: '2026-11-20T12:05:00.000Z' })).toContain('for 0 sec')
})

test.each(localeNames)('minutes in total have words in %s', async (language) => {
  const words = await wordsOf(language, 'triggers')
  for (const condition of ['temperatureMin', 'temperatureMax', 'humidityMin', 'humidityMax'] as const)
    for (const peak of [9.4, null])
      for (const window of cumulativeWindows) {
        const text = happenedIn(buildTrigger({ condition, peak, cumulative: { minutes: 30, window } }), words, now)
        expect(text).not.toMatch(/\{\{|undefined|null|inTotal/)
      }
})

test.each(localeNames)('every condition has words in %s, with and without a peak', async (language) => {
  const words = await wordsOf(language, 'triggers')
  for (const condition of conditionNames)
    for (const peak of [9.4, null])
      for (const fence of ['Depot', null]) {
        const text = happenedIn(buildTrigger({ condition, peak, fence }), words, now)
        expect(text).toContain('Van 3')
        expect(text).not.toMatch(/\{\{|undefined|null/)
      }
})
