import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { readinessOf } from './health.ts'
import { createMetrics, serveMetrics } from './metrics.ts'

const t = describeApp()
const loopback = { port: 0, host: '127.0.0.1', token: null }

const ready = async () => {
  t.clock.advance(1_000)
  const answer = await t.app.inject('/ready')
  return [answer.statusCode, answer.json()]
}

test('ready once the database is there at this version, and every listener listens', async () => {
  expect(await ready()).toEqual([200, { status: 'ready' }])
  t.services.checks.mqtt = () => false
  expect(await ready()).toEqual([503, { status: 'not ready' }])
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
  expect(await ready()).toEqual([503, { status: 'not ready' }])
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

test('asked often, it looks once a second (L27)', async () => {
  let asked = 0
  t.services.checks.counted = () => {
    asked += 1
    return true
  }
  onTestFinished(() => void delete t.services.checks.counted)
  expect((await ready())[0]).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => t.app.inject('/ready')))
  expect(asked).toBe(1)
  await ready()
  expect(asked).toBe(2)
})

test('which check fails is told on loopback and in the log, not to strangers (L27)', async () => {
  const lines: unknown[] = []
  const log = {
    ...t.services.log,
    warn: (...line: unknown[]) => void lines.push(line),
  } as unknown as typeof t.services.log
  const checks = { mqtt: () => false }
  const readiness = readinessOf({ ...t.services, log, checks })
  const { port, close } = await serveMetrics(createMetrics({ ofProcess: false }), loopback, readiness)
  onTestFinished(close)
  const answer = await fetch(`http://127.0.0.1:${port}/ready`)
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false, checks: { database: true, mqtt: false } }])
  checks.mqtt = () => true
  t.clock.advance(1_000)
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200)
  expect(lines).toMatchObject([
    [{ checks: { mqtt: false } }, 'not ready: mqtt'],
    [{}, 'ready again'],
  ])
})

test('metrics are served on loopback, and nothing else is', async () => {
  const { port, close } = await serveMetrics(createMetrics({ ofProcess: true }), loopback, readinessOf(t.services))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const answer = await get('/metrics')
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(await answer.text()).toContain('process_resident_memory_bytes')
  expect((await get('/')).status).toBe(404)
  await close()
  await expect(get('/metrics')).rejects.toThrow()
})

test('every figure of one of several nodes has its name', async () => {
  const { port, close } = await serveMetrics(
    createMetrics({ ofProcess: true, node: 'node-2' }),
    loopback,
    readinessOf(t.services),
  )
  onTestFinished(close)
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n')
  const figures = lines.filter((line) => line !== '' && !line.startsWith('#'))
  expect(figures.length).toBeGreaterThan(10)
  expect(figures.filter((line) => !line.includes('node="node-2"'))).toEqual([])
})

test('texts say in which charset they are (L14)', async () => {
  for (const path of ['/app/api/v1/docs', '/app/api/v1/docs/start.js', '/app/api/v1/docs/swagger-ui.css']) {
    const { headers } = await t.app.inject(path)
    expect(headers['content-type'], path).toMatch(/^text\/\w+; charset=utf-8$/)
  }
})

test('a machine whose clock is wrong is a warning, and gets traffic all the same', async () => {
  t.services.databaseClock = { fault: 'This machine is late' } as NonNullable<typeof t.services.databaseClock>
  onTestFinished(() => void delete t.services.databaseClock)
  expect(await ready()).toEqual([200, { status: 'ready', warnings: ['clock'] }])
})

test('a node that this one does not reach is a warning', async () => {
  t.services.peerFaults = () => ['This server does not reach node two.']
  onTestFinished(() => void delete t.services.peerFaults)
  expect(await ready()).toEqual([200, { status: 'ready', warnings: ['nodes'] }])
})

test('a standby that is missing is a warning, where readings are taken without one', async () => {
  const fault = 'No standby is synchronous'
  t.services.standbys = { fault } as NonNullable<typeof t.services.standbys>
  onTestFinished(() => void delete t.services.standbys)
  expect(await ready()).toEqual([200, { status: 'ready', warnings: ['standby'] }])
})

test('with a token metrics, checks and pages are for those who have it', async () => {
  const token = 'a-token-of-twenty-characters'
  const pages = { '/status': async () => ({ type: 'text/html', text: 'all is well' }) }
  const registry = createMetrics({ ofProcess: false })
  const { port, close } = await serveMetrics(registry, { ...loopback, token }, readinessOf(t.services), pages)
  onTestFinished(close)
  const ask = async (path: string, authorization?: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization ? { authorization } : {} })).status
  const basic = (password: string) => `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`
  for (const path of ['/metrics', '/ready', '/status']) {
    for (const wrong of [undefined, 'Bearer', `Bearer ${token}s`, basic('wrong'), basic('')])
      expect(await ask(path, wrong), `${path} ${wrong}`).toBe(401)
    expect([await ask(path, `Bearer ${token}`), await ask(path, basic(token))]).toEqual([200, 200])
  }
})
