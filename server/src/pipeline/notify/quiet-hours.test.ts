import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

test.each([
  ['before them', '2026-11-20T20:59:00Z', null],
  ['at their beginning', '2026-11-20T21:00:00Z', '2026-11-21T06:00:00.000Z'],
  ['after midnight', '2026-11-21T05:59:59Z', '2026-11-21T06:00:00.000Z'],
  ['at their end', '2026-11-21T06:00:00Z', null],
  // The clocks of Paris change on 25 October 2026 and on 29 March 2026.
  ['in the long night', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  ['in the short night', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
])('quiet from 22:00 to 07:00 in Paris: %s', (_, at, until) => {
  expect(quietUntil('22:00', '07:00', 'Europe/Paris', new Date(at))?.toISOString() ?? null).toBe(until)
})

test.each([
  ['before them', '2026-11-20T10:59:59Z', null],
  ['at their beginning', '2026-11-20T11:00:00Z', '2026-11-20T13:30:00.000Z'],
  ['within them', '2026-11-20T13:29:59Z', '2026-11-20T13:30:00.000Z'],
  ['at their end', '2026-11-20T13:30:00Z', null],
  ['at night', '2026-11-20T23:30:00Z', null],
])('quiet from 12:00 to 14:30 in Paris: %s', (_, at, until) => {
  expect(quietUntil('12:00', '14:30', 'Europe/Paris', new Date(at))?.toISOString() ?? null).toBe(until)
})

test('an end that the short night leaves out comes when the clock has passed it', () => {
  const until = quietUntil('22:00', '02:30', 'Europe/Paris', new Date('2026-03-28T22:00:00Z'))
  expect(until?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
})

test('an end that the long night shows twice is the one that is still to come', () => {
  const end = (at: string) => quietUntil('22:00', '02:30', 'Europe/Paris', new Date(at))?.toISOString()
  expect(end('2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(end('2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z')
})

test('none, or as long as a day', () => {
  const now = new Date('2026-11-20T06:00:00Z')
  expect(quietUntil(null, null, 'UTC', now)).toBe(null)
  expect(quietUntil('05:00', null, 'UTC', now)).toBe(null)
  expect(quietUntil(null, '07:00', 'UTC', now)).toBe(null)
  expect(quietUntil('07:00', '07:00', 'UTC', now)).toBe(null)
})
