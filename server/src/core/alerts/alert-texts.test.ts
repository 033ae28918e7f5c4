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
  value: 8.4,
  peak: 9.4,
  latest: 9.4,
  since: '2026-11-20T12:00:00.000Z',
  normalAt: null,
  place: 'Lagos',
  late: false,
}
const plain = (text: string) => text.replace(/\u00a0/g, ' ')
const texts = (more: Partial<Alert>, locale: (typeof localeNames)[number] = 'en') => {
  const { subject, lead, line } = alertTexts(locale, 'UTC', [{ ...alert, ...more }])
  return { subject: plain(subject), lead: plain(lead), line: plain(line) }
}

test.each([
  ['en', 'CRITICAL: Fridge 1 9.4 °C (limit 8.0), Lagos'],
  ['fr', 'CRITIQUE : Fridge 1 9,4 °C (limite 8,0), Lagos'],
  ['es', 'CRÍTICA: Fridge 1 9,4 °C (límite 8,0), Lagos'],
  ['sw', 'HATARI: Fridge 1 9.4 °C (kikomo 8.0), Lagos'],
] as const)('a subject in %s says device, value, limit and place', (locale, expected) => {
  expect(texts({}, locale).subject).toBe(expected)
})
test('the sentence says them, too, and since when', () => {
  expect(texts({}).lead).toBe('Fridge 1 (Lagos): temperature 9.4 °C, above 8.0 °C, since 20 Nov 2026, 12:00 UTC')
})
test('what is inside again when the message is made is told by its peak', () => {
  expect(texts({ latest: 7 }).subject).toContain('9.4 °C')
  expect(texts({ latest: null }).subject).toContain('9.4 °C')
  expect(texts({ condition: 'temperatureMin', limit: 2, latest: 1, peak: 0.5 }).subject).toContain('1.0 °C (limit 2.0)')
})
test('that it is over says how it is now, how long it lasted and how far it went', () => {
  const over = { event: 'normal', normalAt: '2026-11-20T12:39:00.000Z', latest: 7.2 } as const
  expect(texts(over).subject).toBe('Back to normal: Fridge 1 7.2 °C (peak 9.4 °C, 39 min)')
  expect(texts(over).line).toBe(
    'Back to normal: Fridge 1: temperature 7.2 °C, back in range since 20 Nov 2026, 12:39 UTC after 39 min, peak 9.4 °C',
  )
  expect(texts({ ...over, latest: null }).line).toContain('temperature is back in range since')
})
test('messages made before there was a newest value keep their words', () => {
  const { latest: _, ...before } = alert
  const { subject } = alertTexts('en', 'UTC', [{ ...before, event: 'normal', normalAt: before.since }])
  expect(subject).toBe('Back to normal: Fridge 1')
})
test.each(localeNames)('every subject and sentence has words in %s', (locale) => {
  const conditions = ['temperatureMin', 'humidityMax', 'batteryMin', 'noData', 'in', 'out']
  for (const condition of conditions)
    for (const event of ['opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'withdrawn', 'test'] as const) {
      const { subject, lead, line } = texts({ condition, event, fence: 'Depot', normalAt: alert.since }, locale)
      expect(`${subject} ${lead} ${line}`).not.toMatch(/\{\{|undefined|what\.|subject\./)
    }
})
