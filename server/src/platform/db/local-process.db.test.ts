import { existsSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { processorMs } from './local-process.ts'
import { createPool } from './pool.ts'
import type { Turn } from './shares.ts'

const t = describeApp()

test.skipIf(!existsSync('/proc/self/schedstat'))(
  'the processor time of a connection grows with what PostgreSQL does for it, not with the time that it waits (else: this system does not tell)',
  async () => {
    const pool = createPool(String(t.pool.options.connectionString), 1, () => {})
    onTestFinished(() => pool.end())
    const client = await pool.connect()
    onTestFinished(() => client.release())
    const spent = async (text: string) => {
      const before = processorMs(client) ?? 0
      await client.query(text)
      return (processorMs(client) ?? 0) - before
    }
    const waiting = await spent('select pg_sleep(0.3)')
    const working = await spent('select sum(n) from generate_series(1, 1000000) as n')
    expect(waiting).toBeLessThan(100)
    expect(working).toBeGreaterThan(2 * waiting)
  },
)

test.skipIf(!existsSync('/proc/self/schedstat'))(
  'a call says what PostgreSQL spent on it (else: this system does not tell)',
  async () => {
    const { token } = await buildUser(t)
    const turns: Turn[] = []
    const { shares } = t.services
    const run = shares.run.bind(shares)
    const spy = vi.spyOn(shares, 'run').mockImplementation((companyId, work) =>
      run(companyId, (turn) => {
        turns.push(turn)
        return work(turn)
      }),
    )
    onTestFinished(() => spy.mockRestore())
    expect((await t.call('GET', '/devices', { token })).status).toBe(200)
    expect(turns).toHaveLength(1)
    expect(turns[0]?.processorMs).toBeGreaterThan(0)
  },
)
