import { expect, test } from 'vitest'
import { createMetrics } from '../http/metrics.ts'
import type { Log } from '../log/log.ts'
import { DatabaseClock } from './database-clock.ts'

const begun = Date.parse('2026-11-20T12:00:00Z')

/** A database and a machine whose clocks a test sets; both run by the ticks. */
function scene({ aheadMs = 0 } = {}) {
  let tick = 1_000
  const at = { database: begun, machine: begun + aheadMs }
  const lines: string[] = []
  const log = {
    warn: (...line: unknown[]) => void lines.push(String(line.at(-1))),
    info: (...line: unknown[]) => void lines.push(String(line.at(-1))),
    debug: () => {},
  } as unknown as Log
  const pass = (ms: number) => {
    tick += ms
    at.database += ms
    at.machine += ms
  }
  const roundtrip = { thereMs: 1, backMs: 1 }
  const clock = new DatabaseClock({
    ...{ log, ticks: () => tick, machine: { now: () => new Date(at.machine) } },
    ask: async (ticks) => {
      const asked = ticks()
      pass(roundtrip.thereMs)
      const told = at.database
      pass(roundtrip.backMs)
      return { at: told, asked, answered: ticks() }
    },
  })
  const isWrongBy = () => clock.now().getTime() - at.database
  return { clock, at, pass, roundtrip, lines, isWrongBy }
}

test.each([-60_000, 0, 60_000])(
  'it tells the time of the database where the machine is %i ms ahead, also when that clock is set',
  async (aheadMs) => {
    const { clock, at, pass, isWrongBy } = scene({ aheadMs })
    await clock.measure()
    expect(isWrongBy()).toBe(0)
    pass(3_600_000)
    expect(isWrongBy()).toBe(0)
    at.machine -= 7_200_000
    expect(isWrongBy()).toBe(0)
  },
)

test('a slow answer does not move it, and may be wrong by half of its roundtrip where nothing is known', async () => {
  const { clock, roundtrip, isWrongBy } = scene()
  Object.assign(roundtrip, { thereMs: 400, backMs: 0 })
  await clock.measure()
  expect(isWrongBy()).toBe(200)
  Object.assign(roundtrip, { thereMs: 1, backMs: 1 })
  await clock.measure()
  Object.assign(roundtrip, { thereMs: 0, backMs: 900 })
  await clock.measure()
  expect(isWrongBy()).toBe(0)
})

test('it never goes back by a little: it stands until it agrees', async () => {
  const { clock, at, pass } = scene()
  await clock.measure()
  const before = clock.now().getTime()
  at.database -= 1_000
  await clock.measure()
  expect(clock.now().getTime()).toBe(before)
  pass(990)
  expect(clock.now().getTime()).toBe(before)
  pass(100)
  expect(clock.now().getTime()).toBe(at.database)
})

test.each([60_000, -60_000])(
  'the database that is set by %i ms is followed at once, and the log says so',
  async (ms) => {
    const { clock, at, lines, isWrongBy } = scene()
    await clock.measure()
    clock.now()
    at.database += ms
    at.machine += ms
    await clock.measure()
    expect(isWrongBy()).toBe(0)
    expect(lines).toEqual(["the database's clock was set"])
  },
)

test('a machine that is more than two seconds off is told once, with the figure in the metrics, until it agrees', async () => {
  const { clock, at, lines } = scene({ aheadMs: 1_900 })
  const metrics = createMetrics({ ofProcess: false })
  clock.report(metrics)
  await clock.measure()
  expect([clock.fault, lines]).toEqual([null, []])
  at.machine += 1_100
  await clock.measure()
  await clock.measure()
  expect(clock.fault).toBe(
    "This machine's clock is 3.0 s ahead of the database's: set both by NTP, or receivers refuse our webhooks.",
  )
  expect(await metrics.metrics()).toContain('clock_ahead_seconds 2.999')
  at.machine -= 13_000
  await clock.measure()
  expect(clock.fault).toContain('10.0 s behind')
  at.machine = at.database
  await clock.measure()
  expect(lines).toEqual([
    expect.stringContaining('3.0 s ahead of'),
    expect.stringContaining('10.0 s behind'),
    "this machine's clock agrees with the database's again",
  ])
})

test('a slow answer accuses no clock', async () => {
  const { clock, roundtrip } = scene()
  Object.assign(roundtrip, { thereMs: 10_000, backMs: 0 })
  await clock.measure()
  expect([clock.machineAheadMs, clock.fault]).toEqual([0, null])
})
