import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { describe, expect, test } from 'vitest'
import { play } from './play.ts'
import { inTurn } from './scenarios.ts'

const hasProxy = spawnSync('haproxy', ['-v']).status === 0

// Three servers start, one after the other, and each of them again: a minute and a half where nothing else runs.
describe.skipIf(!hasProxy)('three nodes behind haproxy (else: haproxy is not installed)', { timeout: 600_000 }, () => {
  test('what is acknowledged outlives a kill, a hang, a restart of PostgreSQL and a rolling restart', async () => {
    process.env.LOG_LEVEL ??= 'fatal'
    process.env.BENCH_SETTINGS ??= '{"max_connections": "200"}'
    const base = await freePorts(16)
    const { verdict, faults } = await play(inTurn, { http: base, mqtt: base + 1, nodes: base + 2 }, 1)
    expect(faults).toEqual([])
    expect(verdict).toMatchObject({ missing: 0, wrong: 0, differences: 0, triggerDifferences: 0 })
    expect(verdict.acknowledged).toBeGreaterThan(0)
  })
})

/** The first of so many ports in a row that nobody has now. */
async function freePorts(many: number): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const base = 20_000 + Math.floor(Math.random() * 10_000)
    const servers = await Promise.all(Array.from({ length: many }, (_, place) => listen(base + place)))
    for (const server of servers) server?.close()
    if (servers.every(Boolean)) return base
  }
  throw new Error('no ports are free')
}

const listen = (port: number) =>
  new Promise<Server | null>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
