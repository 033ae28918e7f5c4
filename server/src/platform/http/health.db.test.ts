import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { createMetrics, serveMetrics } from './metrics.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const ready = async () => {
  const answer = await t.app.inject('/ready')
  return [answer.statusCode, answer.json()]
}

test('ready once the database is there at this version, and every listener listens', async () => {
  expect(await ready()).toEqual([200, { status: 'ready', checks: { database: true } }])
  t.services.checks.mqtt = () => false
  expect(await ready()).toEqual([503, { status: 'not ready', checks: { database: true, mqtt: false } }])
  t.services.checks.mqtt = () => {
    throw new Error('broken')
  }
  expect((await ready())[0]).toBe(503)
  delete t.services.checks.mqtt
})

test('not ready while a migration of this version is missing, healthy all the same', async () => {
  const { rows } = await t.pool.query(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning *',
  )
  expect(await ready()).toEqual([503, { status: 'not ready', checks: { database: false } }])
  expect((await t.app.inject('/health')).statusCode).toBe(200)
  await t.pool.query('insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)', [
    JSON.stringify(rows[0]),
  ])
  expect((await ready())[0]).toBe(200)
})

test('requests are timed by route and status, never by the path with its tokens', async () => {
  await t.call('GET', '/auth/verify/a-secret-token')
  const text = await t.services.metrics.metrics()
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/app/api/v1/auth/verify/:token",status="400"} 1',
  )
  expect(text).not.toContain('a-secret-token')
})

test('metrics are served on loopback, and nothing else is', async () => {
  const { port, close } = await serveMetrics(createMetrics({ ofProcess: true }), 0)
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const answer = await get('/metrics')
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(await answer.text()).toContain('process_resident_memory_bytes')
  expect((await get('/')).status).toBe(404)
  await close()
  await expect(get('/metrics')).rejects.toThrow()
})
