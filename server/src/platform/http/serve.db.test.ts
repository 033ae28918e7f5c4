import { type AddressInfo, connect } from 'node:net'
import { type Call, get, post } from '@isotherm/contract/call.ts'
import { Done, done } from '@isotherm/contract/common.ts'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, only, setMatrix } from '../../../test/factories.ts'
import type { Context, PublicContext } from '../context.ts'
import { inTenant } from '../db/transaction.ts'
import { createMetrics } from './metrics.ts'
import { type Handlers, serve } from './serve.ts'
import { createServer } from './server.ts'

const t = describeApp()

const bare = () => createServer({ ...t.services, metrics: createMetrics({ ofProcess: false }) })
const row = get('/example', { needs: 'groups.export', summary: 'An example', returns: Done })

test('a route that does not say who may call it stops the start', async () => {
  const app = await bare()
  app.get('/open', async () => 'anyone')
  await expect(app.ready()).rejects.toThrow('No guard declared: GET /open')
})

test('a row and a handler are all a call needs: guard, answer and its place come from the row', async () => {
  const app = await bare()
  serve(app, t.services, { row }, { row: async () => done })
  const staff = await buildUser(t, { role: 'staff' })
  const ask = () => app.inject({ url: '/app/api/v1/example', headers: { authorization: `Bearer ${staff.token}` } })
  expect((await ask()).statusCode).toBe(403)
  await setMatrix(t, staff.companyId, 'staff', only('groups.export'))
  expect((await ask()).json()).toEqual({ success: true, payload: { done: true } })
  await app.close()
})

test('a call whose connection PostgreSQL ends between two statements asks to try again', async () => {
  const app = await bare()
  const pid = async (ctx: Context) =>
    (await ctx.tx.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')).executeTakeFirstOrThrow()).pid
  const endConnection = async (ctx: Context) => {
    const own = await pid(ctx)
    await t.pool.query('select pg_terminate_backend($1)', [own])
    const left = () => t.pool.query('select from pg_stat_activity where pid = $1', [own])
    await vi.waitUntil(async () => (await left()).rowCount === 0)
    await pid(ctx)
    return done
  }
  serve(app, t.services, { row }, { row: endConnection as never })
  const { token } = await buildUser(t)
  const answer = await app.inject({ url: '/app/api/v1/example', headers: { authorization: `Bearer ${token}` } })
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([503, '2', 'OVERLOADED'])
  await app.close()
})

test('a server that stops answers in its own shape when to come back, and does nothing more', async () => {
  const app = await bare()
  const work = vi.fn(async () => done)
  serve(app, t.services, { row: { ...row, needs: 'public' } }, { row: work })
  const asked = Promise.withResolvers<void>()
  app.addHook('preClose', () => asked.promise)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const closing = app.close()
  const answer = await fetch(`${url}/app/api/v1/example`)
  expect([answer.status, await answer.json()]).toMatchObject([503, { success: false, code: 'BUSY' }])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('connection')).toBe('close')
  asked.resolve()
  await closing
  expect(work).not.toHaveBeenCalled()
})

test('a server that stops waits for a call whose caller is gone: it may ask the database for more', async () => {
  const app = await bare()
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const order: string[] = []
  const work = async () => {
    begun.resolve()
    await goOn.promise
    order.push('answered')
    return done
  }
  serve(app, t.services, { row: { ...row, needs: 'public' } }, { row: work })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const gone = new AbortController()
  const asked = fetch(`${url}/app/api/v1/example`, { signal: gone.signal })
  await begun.promise
  gone.abort()
  await expect(asked).rejects.toThrow()
  const closing = app.close().then(() => order.push('closed'))
  await vi.waitUntil(() => !app.server.listening)
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  await vi.waitUntil(async () => (await connections()) === 0)
  goOn.resolve()
  await closing
  expect(order).toEqual(['answered', 'closed'])
})

test('a call by another spelling of its address is a call all the same', async () => {
  const { token } = await buildUser(t)
  const asked = (url: string) => t.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  for (const address of ['/app/api/v1/devices?page=1', '/%61pp/%61pi/v1/devices?page=1']) {
    const answer = await asked(address)
    expect([answer.statusCode, answer.headers['cache-control']], address).toEqual([200, 'no-store'])
    expect((await asked(`${address}&api_key=isokey_abc`)).json().code, address).toBe('KEY_IN_ADDRESS')
  }
})

test('a missing handler does not compile, nor one that answers something else', () => {
  // @ts-expect-error the handler is missing
  const missing: Handlers<{ row: typeof row }> = {}
  // @ts-expect-error the row promises {done: true}
  const wrong: Handlers<{ row: typeof row }> = { row: async () => 'done' }
  expect([missing, wrong]).toHaveLength(2)
})

test('an answer that breaks its contract is caught where answers are checked', async () => {
  const app = await bare()
  serve(app, t.services, { row }, { row: async () => ({ done: false }) as never })
  const admin = await buildUser(t)
  const answer = await app.inject({ url: '/app/api/v1/example', headers: { authorization: `Bearer ${admin.token}` } })
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({
    success: false,
    code: 'INTERNAL',
    message: `Something went wrong (request ${answer.headers['x-request-id']}).`,
  })
  await app.close()
})

describe('a call that only reads', () => {
  const rename: Handlers<{ row: typeof row }>['row'] = async ({ tx, companyId }) => {
    await tx.updateTable('companies').set({ name: 'Renamed' }).where('company_id', '=', companyId).execute()
    return done
  }
  /** The answer of a call of this row, and the names that the company and its audit entries then have. */
  async function served(call: Call<'/example', 'groups.export', typeof Done>, handler: typeof rename) {
    const app = await bare()
    serve(app, t.services, { row: call }, { row: handler as never })
    const { token, companyId } = await buildUser(t)
    const { statusCode } = await app.inject({
      method: call.method as 'GET',
      url: '/app/api/v1/example',
      headers: { authorization: `Bearer ${token}` },
    })
    await app.close()
    const names = await t.rows('select name from companies where company_id = $1', [companyId])
    const actions = await t.rows('select action from audit_log where company_id = $1', [companyId])
    return { statusCode, isRenamed: names[0]?.name === 'Renamed', actions: actions.map(({ action }) => action) }
  }
  const none = { params: {}, query: {}, body: {} }
  const spec = { needs: 'groups.export', summary: 'An example', returns: Done } as const

  test('cannot write: a GET, and a POST whose row says that it reads', async () => {
    for (const call of [row, post('/example', { ...spec, readOnly: true })])
      expect(await served(call, rename)).toMatchObject({ statusCode: 500, isRenamed: false })
  })

  test('cannot write in a transaction of its own either, nor can a guest', async () => {
    const byItself: typeof rename = async ({ services, companyId }) =>
      inTenant(services.pool, companyId, ({ tx }) => rename({ tx, companyId } as Context, none))
    expect(await served(row, byItself)).toMatchObject({ statusCode: 500, isRenamed: false })
    const guest = get('/example', { ...spec, needs: 'public' })
    const company = await buildCompany(t)
    const app = await bare()
    const asGuest = ({ services }: PublicContext) =>
      byItself({ services, companyId: company.companyId } as Context, none)
    serve(app, t.services, { guest }, { guest: asGuest })
    expect((await app.inject({ url: '/app/api/v1/example' })).statusCode).toBe(500)
    await app.close()
  })

  test('writes where its row says why', async () => {
    expect(await served(get('/example', { ...spec, writes: 'To be tried' }), rename)).toMatchObject({
      statusCode: 200,
      isRenamed: true,
    })
  })

  test('leaves an audit entry all the same', async () => {
    const noted: typeof rename = async (ctx) => {
      ctx.audit({ action: 'groups.exported' })
      return done
    }
    expect(await served(row, noted)).toMatchObject({ statusCode: 200, actions: ['groups.exported'] })
  })
})

test('security headers let no foreign script run, and nothing is upgraded or pinned without https', async () => {
  const { headers } = await t.app.inject('/health')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|upgrade-insecure-requests/)
  expect(headers['strict-transport-security']).toBeUndefined()
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('what is no HTTP or no address is refused in our shape, with headers that let nothing run', async () => {
  const app = await bare()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const say = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      let heard = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => (heard += chunk)).on('end', () => resolve(heard))
      socket.on('error', reject)
    })
  const both = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'
  const answers = [
    [await say('GARBAGE\r\n\r\n'), 400, 'MALFORMED_BODY'],
    [await say(`POST / HTTP/1.1\r\nHost: x\r\n${both}\r\n0\r\n\r\nGET /`), 400, 'MALFORMED_BODY'],
    [await say(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 413, 'BODY_TOO_LARGE'],
    [await say('GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), 404, 'ROUTE_NOT_FOUND'],
  ] as const
  for (const [answer, status, code] of answers) {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'")
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
    expect(JSON.parse(body)).toMatchObject({ success: false, code })
  }
  await app.close()
})

test('a browser that visits a path nobody can read is led to the app’s own page, a program is answered', async () => {
  const visit = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const url of ['/%', '/devices/%zz/details']) {
    const { statusCode, headers } = await t.app.inject({ url, headers: visit })
    expect([statusCode, headers.location], url).toEqual([302, '/404'])
    expect((await t.app.inject({ url, headers: { accept: '*/*' } })).json().code).toBe('ROUTE_NOT_FOUND')
  }
  const ofApi = await t.app.inject({ url: '/app/api/v1/%', headers: visit })
  expect([ofApi.statusCode, ofApi.json().code]).toEqual([404, 'ROUTE_NOT_FOUND'])
})

test('a browser that follows a link to a file that is over is led to a page that says so', async () => {
  const visited = (accept: string) =>
    t.app.inject({ url: `/app/api/v1/report-files/${'x'.repeat(43)}`, headers: { accept } })
  const led = await visited('text/html,*/*;q=0.8')
  expect([led.statusCode, led.headers.location]).toEqual([302, '/link-over'])
  expect((await visited('*/*')).json().code).toBe('NOT_FOUND')
})

test('what is no call is ROUTE_NOT_FOUND, what cannot be read is MALFORMED_BODY or 415, all in our shape', async () => {
  const post = (headers: Record<string, string>, payload: string) =>
    t.app.inject({ method: 'POST', url: '/app/api/v1/auth/login', headers, payload })
  const answers = [
    [await t.app.inject('/app/api/v1/nothing'), 404, 'ROUTE_NOT_FOUND'],
    [await t.app.inject('/app/api/v1/auth/verify/%ff'), 404, 'ROUTE_NOT_FOUND'],
    [await t.app.inject(`/app/api/v1/auth/verify/${'x'.repeat(400)}`), 404, 'ROUTE_NOT_FOUND'],
    [await post({ 'content-type': 'application/json' }, '{'), 400, 'MALFORMED_BODY'],
    [await post({ 'content-type': 'application/json' }, '{"__proto__": {}}'), 400, 'MALFORMED_BODY'],
    [await post({ 'content-type': 'text/plain' }, 'hello'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [await post({ 'content-type': 'application/xml' }, '<a/>'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [await post({ 'content-type': 'application/json' }, `"${'x'.repeat(1_048_577)}"`), 413, 'BODY_TOO_LARGE'],
  ] as const
  for (const [answer, status, code] of answers) {
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(Object.keys(answer.json()).sort()).toEqual(['code', 'message', 'success'])
  }
})

test('of who is nobody no body is read: a long one would be parsed for a 401', async () => {
  const post = (authorization: string | undefined, payload: string, type = 'application/json') =>
    t.app.inject({
      ...{ method: 'POST', url: '/app/api/v1/audit-log/verify', payload },
      headers: { 'content-type': type, ...(authorization && { authorization }) },
    })
  const { token } = await buildUser(t)
  for (const [payload, status, type] of [
    ['{', 400],
    ['hello', 415, 'text/plain'],
    [`"${'x'.repeat(10_485_800)}"`, 413],
  ] as const) {
    for (const nobody of [undefined, 'Bearer nobody', `Basic ${token}`])
      expect((await post(nobody, payload, type)).statusCode).toBe(401)
    expect((await post(`Bearer ${token}`, payload, type)).statusCode).toBe(status)
  }
})

test('a body of nothing but mistakes is told the first 200', async () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]))
  const { token } = await buildUser(t)
  const { status, body: answer } = await t.call('POST', '/groups', { token, body })
  expect([status, answer.messages.length]).toEqual([422, 200])
})

test('an event loop that runs late refuses calls with 503 and the time to wait, and no page, until it has caught up', async () => {
  const config = { ...t.services.config, overloadDelayMs: 50 }
  const app = await createServer({ ...t.services, config, metrics: createMetrics({ ofProcess: false }) })
  app.get('/page', { config: { guard: 'public' } }, async () => 'page')
  await app.ready()
  expect((await app.inject('/app/api/v1/none')).statusCode).toBe(404)
  const blocked = async () => {
    const until = Date.now() + 300
    while (Date.now() < until);
    return app.inject('/app/api/v1/none')
  }
  const answer = await vi.waitUntil(
    async () => {
      const each = await blocked()
      return each.statusCode === 503 && each
    },
    { timeout: 30_000, interval: 1 },
  )
  expect((await app.inject('/health')).statusCode).toBe(200)
  expect((await app.inject('/page')).statusCode).toBe(200)
  expect(answer.json().code).toBe('BUSY')
  expect(answer.headers['retry-after']).toBe('1')
  await vi.waitUntil(async () => (await app.inject('/app/api/v1/none')).statusCode === 404, { timeout: 30_000 })
  await app.close()
})
