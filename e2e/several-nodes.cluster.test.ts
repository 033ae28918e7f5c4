import { describe, expect, test } from 'vitest'
import { play } from '../bench/cluster/play.ts'
import { scenarios } from '../bench/cluster/scenarios.ts'
import { hasHaproxy, noHaproxy } from '../scripts/run/debian-servers.mjs'
import { freePort } from '../server/test/free-port.ts'

/** The first of some ports in a row that nobody listens at, below those that the system gives out. */
async function portsInARow(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const each = Array.from({ length: count }, (_, index) => freePort(first + index))
    if ((await Promise.allSettled(each)).every(({ status }) => status === 'fulfilled')) return first
  }
}

describe.skipIf(!hasHaproxy())(`three nodes behind haproxy (else: ${noHaproxy})`, () => {
  test('lose nothing in calm, when one is killed, one hangs, PostgreSQL restarts, and in a rolling restart', async ({
    annotate,
  }) => {
    const scenario = scenarios['in-turn']
    if (!scenario) throw new Error('there is no such scenario')
    process.env.LOG_LEVEL = 'fatal'
    // Three nodes need more than one.
    process.env.BENCH_SETTINGS = '{"max_connections": "200"}'
    const first = await portsInARow(14)
    const { verdict, faults } = await play(scenario, { http: first, mqtt: first + 1, nodes: first + 2 }, 0)
    await annotate(JSON.stringify(verdict))
    expect(faults, JSON.stringify(verdict)).toEqual([])
    expect(verdict).toMatchObject({ missing: 0, wrong: 0, differences: 0, triggerDifferences: 0 })
  })
})
