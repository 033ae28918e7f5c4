import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp } from '../../test/describe-app.ts'
import { createLog } from '../platform/log/log.ts'
import { LaneConnections, laneName } from './lane-connections.ts'

const t = describeApp()
const lane = 201

test('a lane that ends while it waits for its lock gets no connections afterwards', async () => {
  const databaseUrl = String(t.pool.options.connectionString)
  const other = new pg.Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const log = createLog('silent')
  const info = vi.spyOn(log, 'info')
  const connections = new LaneConnections(lane, {
    ...{ databaseUrl, nodeId: 'ends', mayHold: () => true, connected: () => {}, lost: () => {} },
    log,
  })
  // The second of the two locks: the first connection is there already.
  await other.query('select pg_advisory_lock(4920, $1)', [lane])
  const waiting = connections.client(0)
  const outcome = waiting.then(
    () => 'connected',
    () => 'given up',
  )
  await expect.poll(() => info.mock.calls.length).toBe(1)
  await connections.end()
  await other.query('select pg_advisory_unlock(4920, $1)', [lane])
  expect(await outcome).toBe('given up')
  const named = 'select from pg_stat_activity where application_name = $1'
  await expect.poll(async () => (await other.query(named, [laneName(lane, 'ends')])).rows.length).toBe(0)
  // It may begin again.
  await connections.client(0)
  expect(connections.isOpen).toBe(true)
  await connections.end()
})

test('connections that do not end by themselves are cut: another server gets the lane', async () => {
  const databaseUrl = String(t.pool.options.connectionString)
  const options = { databaseUrl, mayHold: () => true, connected: () => {}, lost: () => {}, log: createLog('silent') }
  const stuck = new LaneConnections(lane + 1, { ...options, nodeId: 'stuck' })
  const dropped = await stuck.client(0)
  for (const client of [dropped, await stuck.client(1)])
    vi.spyOn(client, 'end').mockImplementation(() => new Promise<void>(() => {}))
  stuck.drop(dropped)
  const next = new LaneConnections(lane + 1, { ...options, nodeId: 'next' })
  await next.client(0)
  for (const client of [await next.client(0), await next.client(1)])
    vi.spyOn(client, 'end').mockImplementation(() => new Promise<void>(() => {}))
  await next.end()
  expect(next.isOpen).toBe(false)
})

test('a lane whose first connection is ended while it waits for the second begins anew with two that work', async () => {
  const databaseUrl = String(t.pool.options.connectionString)
  const other = new pg.Client(databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const log = createLog('silent')
  const info = vi.spyOn(log, 'info')
  const connections = new LaneConnections(lane + 2, {
    ...{ databaseUrl, nodeId: 'halved', mayHold: () => true, connected: () => {}, lost: () => {} },
    log,
  })
  await other.query('select pg_advisory_lock(4920, $1)', [lane + 2])
  const outcome = connections.client(0).then(
    () => 'connected',
    () => 'lost',
  )
  await expect.poll(() => info.mock.calls.length).toBe(1)
  const holder = `select pid from pg_locks where classid = 4919 and objid = $1 and granted
    and database = (select oid from pg_database where datname = current_database())`
  await other.query(`select pg_terminate_backend(pid) from (${holder}) as first`, [lane + 2])
  await expect.poll(async () => (await other.query(holder, [lane + 2])).rows).toEqual([])
  await other.query('select pg_advisory_unlock(4920, $1)', [lane + 2])
  expect(await outcome).toBe('lost')
  for (const writer of [0, 1]) await (await connections.client(writer)).query('select 1')
  await connections.end()
})
