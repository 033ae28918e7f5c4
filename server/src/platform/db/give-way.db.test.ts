import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { createPool } from './pool.ts'

const t = describeApp()
const hasGroups = existsSync('/proc/self/autogroup')

/** The priorities of the process that serves a connection of such a pool, and of its scheduling group, where the system has such groups. */
async function prioritiesOf(options?: { givesWay: boolean }) {
  const pool = createPool(String(t.pool.options.connectionString), 1, () => {}, options)
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const group = hasGroups ? Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]) : null
  return { own: getPriority(pid), group }
}

test('the connections of a pool that gives way are served by processes of lower priority than others’, and by groups of lower priority', async () => {
  vi.stubEnv('LONG_WORK_RESTS', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const [given, usual] = [await prioritiesOf({ givesWay: true }), await prioritiesOf()]
  expect(given.own).toBeGreaterThan(usual.own)
  if (hasGroups) expect(given.group).toBeGreaterThan(usual.group ?? 0)
})
