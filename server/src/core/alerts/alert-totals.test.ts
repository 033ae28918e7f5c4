import { localeNames } from '@isotherm/contract/common.ts'
import { expect, test } from 'vitest'
import { type Alert, alertTexts } from './alert-texts.ts'

const alert: Alert = {
  event: 'opened',
  severity: 'critical',
  alarm: 'Vaccines',
  device: 'Fridge 1',
  condition: 'temperatureMax',
  fence: null,
  limit: 8,
  cumulative: { minutes: 72, window: '24h' },
  value: 9,
  peak: 9,
  since: '2026-11-20T12:00:00.000Z',
  normalAt: null,
  place: null,
  late: false,
}
const lineOf = (more: Partial<Alert>) => alertTexts('en', 'UTC', [{ ...alert, ...more }]).line.replace(/\s/g, ' ')

test('a message of minutes in total says how many were allowed, and within what', () => {
  expect(lineOf({})).toContain('Fridge 1: temperature above 8.0 °C for more than 72 min in total within 24 h')
  expect(lineOf({ cumulative: { minutes: 72, window: 'record' } })).toContain('in total within a running record')
})
test('the message that it is over says what ended', () => {
  const normal = { event: 'normal', normalAt: '2026-11-20T13:00:00.000Z' } as const
  expect(lineOf(normal)).toContain('not more than 72 min outside within 24 h any more')
  expect(lineOf({ ...normal, cumulative: { minutes: 72, window: 'record' } })).toContain('the record')
})
test.each(localeNames)('every message of minutes in total has words in %s', (locale) => {
  for (const condition of ['temperatureMin', 'temperatureMax', 'humidityMin', 'humidityMax'])
    for (const window of ['24h', 'record'] as const)
      for (const event of ['opened', 'normal', 'reminder', 'escalated', 'unsnoozed'] as const) {
        const told = { ...alert, event, condition, cumulative: { minutes: 72, window }, normalAt: alert.since }
        const { subject, line } = alertTexts(locale, 'UTC', [told])
        expect(`${subject} ${line}`).not.toMatch(/\{\{|undefined|what\./)
        expect(line).toContain('72')
      }
})
