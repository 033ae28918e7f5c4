import { describe, expect, test } from 'vitest'
import { confirm, type Firing, judgeSample, type Sample } from './alarm-firing.ts'

// ISA-18.2's states as far as the values make them: normal (null), pending (its on-delay runs), open (in alarm). What people
// make of an open one (acknowledged, shelved, resolved) is with the trigger: features/alarms/trigger-states.db.test.ts.

const minute = 60_000
const delayMs = 10 * minute
const holdMs = 9 * minute

/** A reading at `at` minutes: outside the limit, between the limit and the deadband, or back inside. */
function reading(at: number, where: 'outside' | 'deadband' | 'inside', more: Partial<Sample> = {}): Sample {
  const degrees = { outside: 9, deadband: 7.8, inside: 5 }[where]
  return {
    at: at * minute,
    since: at * minute,
    starts: where === 'outside',
    holds: where !== 'inside',
    isNormal: where === 'inside',
    value: degrees * 100,
    isFarther: (peak) => degrees * 100 > peak,
    holdMs,
    delayMs,
    ...more,
  }
}

const follow = (samples: Sample[]) => {
  const ended: Firing[] = []
  let firing: Firing | null = null
  for (const sample of samples) {
    const step = judgeSample(firing, sample)
    ended.push(...step.ended)
    firing = step.firing
  }
  return { firing, ended }
}
const pending = () => follow([reading(0, 'outside')]).firing
const open = () => follow([0, 5, 10].map((at) => reading(at, 'outside'))).firing
const named = (firing: Firing | null) =>
  firing === null
    ? 'normal'
    : firing.openedAt === null
      ? `pending since ${firing.breachAt / minute}`
      : `open at ${firing.openedAt / minute}`

const pendingAt5 = () => follow([0, 5].map((at) => reading(at, 'outside'))).firing
const states = { normal: () => null, pending, 'pending at 5': pendingAt5, open }

describe('each state and each reading', () => {
  test.each([
    ['normal', reading(12, 'inside'), 'normal', 0],
    ['normal', reading(12, 'deadband'), 'normal', 0],
    ['normal', reading(12, 'outside'), 'pending since 12', 0],
    ['normal', reading(12, 'outside', { delayMs: 0 }), 'open at 12', 0],
    // Suppressed by the schedule: it may not begin.
    ['normal', reading(12, 'outside', { starts: false }), 'normal', 0],
    ['pending', reading(8, 'outside'), 'pending since 0', 0],
    ['pending', reading(8, 'deadband'), 'pending since 0', 0],
    ['pending', reading(8, 'inside'), 'normal', 0],
    // At the very end of the delay the reading of that instant decides.
    ['pending at 5', reading(10, 'outside'), 'open at 10', 0],
    ['pending at 5', reading(10, 'inside'), 'normal', 0],
    ['pending at 5', reading(10.1, 'inside'), 'normal', 1],
    // Silence that outlasts what the reading covers drops it, and a new one begins.
    ['pending', reading(9.5, 'outside'), 'pending since 9.5', 0],
    ['pending', reading(9.5, 'deadband'), 'normal', 0],
    ['pending', reading(9.5, 'inside'), 'normal', 0],
    ['open', reading(14, 'outside'), 'open at 10', 0],
    ['open', reading(14, 'deadband'), 'open at 10', 0],
    ['open', reading(14, 'inside'), 'normal', 1],
    // No silence, however long, makes it normal; the reading after it does.
    ['open', reading(600, 'outside'), 'open at 10', 0],
    ['open', reading(600, 'inside'), 'normal', 1],
    // Not armed any more: it is followed until it is normal.
    ['open', reading(14, 'outside', { starts: false }), 'open at 10', 0],
  ] as const)('%s, %o -> %s', (state, sample, after, endings) => {
    const step = judgeSample(states[state](), sample)
    expect([named(step.firing), step.ended.length]).toEqual([after, endings])
  })
})

test('its end says when it began, opened and was normal again, and how bad it was', () => {
  const { ended } = follow([
    ...[0, 5, 10].map((at) => reading(at, 'outside')),
    reading(12, 'outside', { value: 1200, isFarther: () => true }),
    reading(15, 'inside'),
  ])
  expect(ended).toMatchObject([
    { breachAt: 0, openedAt: 10 * minute, normalAt: 15 * minute, value: 900, peak: 1200, peakAt: 12 * minute },
  ])
})

describe('the clock', () => {
  test.each([
    ['before the delay is over', pending, 9.99, 'pending since 0'],
    ['at its end, which its last reading does not cover', pending, 10, 'pending since 0'],
    [
      'at its end, which its last reading covers',
      () => follow([reading(0, 'outside'), reading(5, 'outside')]).firing,
      10,
      'open at 10',
    ],
    ['of one that is open already', open, 999, 'open at 10'],
  ] as const)('%s', (_, make, at, after) => {
    const firing = make()
    expect(firing && named(confirm(firing, at * minute))).toBe(after)
  })

  test('that opened it too early, as a reading from within the delay shows later: it never was', () => {
    const early = follow([reading(0, 'outside'), reading(5, 'outside')]).firing
    const opened = early && confirm(early, 12 * minute)
    expect(named(opened)).toBe('open at 10')
    expect(judgeSample(opened, reading(8, 'inside'))).toEqual({ firing: null, ended: [] })
    expect(judgeSample(opened, reading(10, 'inside'))).toEqual({ firing: null, ended: [] })
    // The same reading from after the end of the delay is an ordinary end.
    expect(judgeSample(opened, reading(11, 'inside')).ended).toHaveLength(1)
  })
})

test('readings in order come to the same, whether they came live or all at once', () => {
  const samples = [0, 4, 8, 11, 13, 20].map((at) => reading(at, at < 13 ? 'outside' : 'inside'))
  const live = samples.reduce<{ firing: Firing | null; ended: Firing[] }>(
    ({ firing, ended }, sample) => {
      // The clock looks before each reading is there.
      const step = judgeSample(firing && confirm(firing, sample.at - 1), sample)
      return { firing: step.firing, ended: [...ended, ...step.ended] }
    },
    { firing: null, ended: [] },
  )
  expect(live).toEqual(follow(samples))
  expect(live.ended).toMatchObject([{ openedAt: 10 * minute, normalAt: 13 * minute }])
})

test('the night the clocks change is as long as it is: delays are elapsed time, not wall-clock time', () => {
  // 02:00 to 03:00 comes twice in Paris; ten minutes before and after the change.
  const change = Date.parse('2026-10-25T01:00:00Z')
  const at = (minutes: number) => (change + minutes * minute) / minute
  const { firing } = follow([-5, 0, 5].map((minutes) => reading(at(minutes), 'outside')))
  expect(firing && [firing.breachAt - change, (firing.openedAt ?? 0) - change]).toEqual([-5 * minute, 5 * minute])
})
