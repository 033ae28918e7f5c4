import { expect, test } from 'vitest'
import { clockGraceMs } from './alarm-firing.ts'
import { isMissed, silenceCountsAfter, silenceFiring } from './alarm-silence.ts'

const minute = 60_000
const afterMs = 30 * minute

test('a silence counts once the allowed time is over and a reading of its end can have arrived', () => {
  const quiet = { latestAt: 10 * minute, freeSince: null }
  const from = 40 * minute + clockGraceMs
  expect(silenceCountsAfter(quiet, afterMs)).toBe(from)
  expect([isMissed(quiet, afterMs, null, from), isMissed(quiet, afterMs, null, from + 1)]).toEqual([false, true])
})

test('a device that was excused has the allowed time again', () => {
  expect(silenceCountsAfter({ latestAt: 0, freeSince: 50 * minute }, afterMs)).toBe(80 * minute)
  expect(silenceCountsAfter({ latestAt: 50 * minute, freeSince: 0 }, afterMs)).toBe(80 * minute + clockGraceMs)
})

test('an alarm misses nothing while it is not armed', () => {
  const nights = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '06:00' }
  const quiet = { latestAt: 0, freeSince: null }
  expect(isMissed(quiet, afterMs, nights, 12 * 60 * minute)).toBe(false)
  expect(isMissed(quiet, afterMs, nights, 23 * 60 * minute)).toBe(true)
})

test('its firing opens when the allowed time is over', () => {
  expect(silenceFiring(0, afterMs, 50 * minute)).toMatchObject({
    breachAt: 0,
    dueAt: afterMs,
    openedAt: afterMs,
    normalAt: 50 * minute,
  })
})
