import { getPriority } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { createPool } from './pool.ts'

const t = describeApp()

/** The priority of the process that serves a connection of such a pool. */
async function priorityOf(options?: { givesWay: boolean }) {
  const pool = createPool(String(t.pool.options.connectionString), 1, () => {}, options)
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return getPriority(rows[0]?.pid)
}

test('the connections of a pool that gives way are served by processes of lower priority than others’', async () => {
  expect(await priorityOf({ givesWay: true })).toBeGreaterThan(await priorityOf())
})
