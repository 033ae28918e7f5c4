import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { aKey, type TestKey } from '../../../test/key-factory.ts'
import { pathOf } from './call-log.ts'

const bucket = (burst: number) => ({ burst, perMinute: burst })
const rate = (burst: number, company = 1_000) => ({ person: bucket(burst), company: bucket(company) })
const t = describeApp({
  keyRates: { calls: rate(8, 12), heavy: rate(2) },
  callRates: { writes: rate(3), exports: rate(1_000) },
})

const calls = async ({ admin }: TestKey, query: Record<string, string> = {}) =>
  (await t.call('GET', '/developer/calls', { token: admin.token, query })).body.payload
const get = (key: TestKey, path: string, more = {}) => t.call('GET', path, { token: key.secret, ...more })

test('the calls of a key are listed, newest first, without what was sent and what may be secret', async () => {
  const key = await aKey(t, await buildCompany(t))
  await get(key, '/devices?search=Ann%20Smith&perPage=5', { address: '203.0.113.9' })
  await get(key, '/devices/999999')
  await get(key, '/saved-views')
  const { data, next } = await calls(key)
  expect(next).toBeNull()
  expect(data.map(({ method, path, status, code }: Record<string, unknown>) => [method, path, status, code])).toEqual([
    ['GET', '/app/api/v1/saved-views', 403, 'FORBIDDEN'],
    ['GET', '/app/api/v1/devices/999999', 404, 'NOT_FOUND'],
    ['GET', '/app/api/v1/devices?search=...&perPage=5', 200, null],
  ])
  expect(data[2]).toMatchObject({ keyId: key.id, keyName: 'Warehouse', address: '203.0.113.9' })
  const minute = new Date(Math.floor(t.clock.now().getTime() / 60_000) * 60_000).toISOString()
  const { keys } = (await t.call('GET', '/enterprise/developer', { token: key.admin.token })).body.payload
  expect(keys[0]).toMatchObject({ lastUsedAt: minute })
  expect((await calls(key, { answer: 'done' })).data).toHaveLength(1)
  expect((await calls(key, { answer: 'refused' })).data).toHaveLength(2)
})

test('they are read on by a cursor, which new calls do not move', async () => {
  const key = await aKey(t, await buildCompany(t))
  for (const id of ['1', '2', '3']) await get(key, `/devices/99999${id}`)
  const first = await calls(key, { limit: '2' })
  await get(key, '/devices')
  const second = await calls(key, { limit: '2', before: first.next })
  expect([...first.data, ...second.data].map(({ path }: { path: string }) => path.slice(-1))).toEqual(['3', '2', '1'])
  expect(second.next).toBeNull()
})

describe('calls that are refused before their key is let in', () => {
  const far = '198.51.100.7'

  test('are one row for each key, code and day, as the newest of them was, and push out no other call', async () => {
    const key = await aKey(t, await buildCompany(t), { networks: ['127.0.0.1'] })
    const good = await aKey(t, key, { admin: key.admin })
    await get(good, '/devices')
    for (const id of ['1', '2', '3']) await get(key, `/devices/${id}`, { address: far })
    // A body that is refused before anybody asks what became of the key.
    const bad = { token: key.secret, headers: { 'content-type': 'application/json' }, body: '{', address: far }
    await t.call('POST', '/groups', bad)
    const seen = async () =>
      (await calls(key)).data.map((one: Record<string, unknown>) => [one.path, one.code, one.times])
    expect((await calls(key, { answer: 'refused' })).data).toMatchObject([
      { path: '/app/api/v1/groups', times: 1 },
      { path: '/app/api/v1/devices/3', code: 'KEY_WRONG_NETWORK', times: 3, address: far },
    ])
    await get(key, '/devices/4', { address: far })
    expect(await seen()).toEqual([
      ['/app/api/v1/devices/4', 'KEY_WRONG_NETWORK', 4],
      ['/app/api/v1/groups', expect.any(String), 1],
      ['/app/api/v1/devices', null, 1],
    ])
    t.clock.advance(86_400_000)
    await get(key, '/devices/5', { address: far })
    expect((await seen()).slice(0, 2)).toEqual([
      ['/app/api/v1/devices/5', 'KEY_WRONG_NETWORK', 1],
      ['/app/api/v1/devices/4', 'KEY_WRONG_NETWORK', 4],
    ])
  })

  test('are no use of the key', async () => {
    const key = await aKey(t, await buildCompany(t), { networks: ['192.0.2.0/24'] })
    await get(key, '/devices', { address: far })
    expect((await calls(key)).data).toHaveLength(1)
    const { keys } = (await t.call('GET', '/enterprise/developer', { token: key.admin.token })).body.payload
    expect(keys[0]).toMatchObject({ lastUsedAt: null, lastUsedAddress: null })
  })

  test('are refused before a long body of theirs is read', async () => {
    const key = await aKey(t, await buildCompany(t), { networks: ['192.0.2.0/24'] })
    const body = `{"name": "${'x'.repeat(100_000)}`
    const headers = { 'content-type': 'application/json' }
    const { status, body: answer } = await t.call('POST', '/groups', { token: key.secret, headers, body, address: far })
    expect([status, answer.code]).toEqual([401, 'KEY_WRONG_NETWORK'])
  })

  test('are those of one caller where their addresses are of one network of IPv6', async () => {
    const key = await aKey(t, await buildCompany(t), { networks: ['127.0.0.1'] })
    const codeFrom = async (address: string) => (await get(key, '/devices', { address })).body.code
    const codes = []
    for (let each = 1; each <= 9; each++) codes.push(await codeFrom(`2001:db8:0:7::${each}`))
    expect(codes).toEqual([...Array(8).fill('KEY_WRONG_NETWORK'), 'TOO_MANY_REQUESTS'])
    expect(await codeFrom('2001:db8:0:8::1')).toBe('KEY_WRONG_NETWORK')
  })

  test('take nothing from the calls that the key and its company have', async () => {
    const key = await aKey(t, await buildCompany(t), { networks: ['127.0.0.1'] })
    const revoked = await aKey(t, key, { admin: key.admin })
    await t.call('DELETE', `/developer/keys/${revoked.id}`, { token: key.admin.token })
    const codes = []
    for (let each = 0; each < 9; each++) codes.push((await get(key, '/devices', { address: far })).body.code)
    for (let each = 0; each < 9; each++) codes.push((await get(revoked, '/devices')).body.code)
    const refused = (code: string) => [...Array(8).fill(code), 'TOO_MANY_REQUESTS']
    expect(codes).toEqual([...refused('KEY_WRONG_NETWORK'), ...refused('KEY_REVOKED')])
    const answers = []
    for (let each = 0; each < 8; each++) answers.push((await get(key, '/devices')).status)
    expect(answers).toEqual(Array(8).fill(200))
    expect((await calls(key, { keyId: revoked.id })).data).toMatchObject([
      { code: 'TOO_MANY_REQUESTS', times: 1 },
      { code: 'KEY_REVOKED', times: 8 },
    ])
  })
})

test('a revoked key’s calls are seen, and another company’s are not', async () => {
  const [mine, theirs] = [await aKey(t, await buildCompany(t)), await aKey(t, await buildCompany(t))]
  await t.call('DELETE', `/developer/keys/${mine.id}`, { token: mine.admin.token })
  await get(mine, '/devices')
  await get(theirs, '/devices')
  expect((await calls(mine)).data).toMatchObject([{ keyId: mine.id, status: 401, code: 'KEY_REVOKED', times: 1 }])
  expect((await calls(mine, { keyId: theirs.id })).data).toEqual([])
  const manager = await buildUser(t, { company: mine, role: 'manager' })
  expect((await t.call('GET', '/developer/calls', { token: manager.token })).status).toBe(403)
})

test('a call that no text of the database can hold hides itself and no other call of the company', async () => {
  const key = await aKey(t, await buildCompany(t))
  await get(key, '/devices/999999')
  await get(key, '/devices?from=%00&search=x')
  await get(key, '/devices/isokey_0123456789abcdef')
  const { data } = await calls(key)
  expect(data.map(({ path }: { path: string }) => path)).toEqual([
    '/app/api/v1/devices/isokey_...',
    '/app/api/v1/devices?from=\uFFFD&search=...',
    '/app/api/v1/devices/999999',
  ])
})

test.each(['api_key', 'access_token', 'search'])(
  'a key in the query as %s is refused, and noted nowhere',
  async (name) => {
    const key = await aKey(t, await buildCompany(t))
    const query = { [name]: key.secret }
    const { status, body } = await t.call('GET', '/devices', { query })
    expect([status, body.code]).toEqual([400, 'KEY_IN_ADDRESS'])
    expect(body.message).toContain('Authorization')
    expect((await get(key, '/devices', { query })).body.code).toBe('KEY_IN_ADDRESS')
    expect((await calls(key)).data).toEqual([])
  },
)

/** Every sign of a text as %41. */
const encoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

test.each([
  ['its prefix', (secret: string) => secret.replace('_', '%5F')],
  ['its prefix in small letters', (secret: string) => secret.replace('_', '%5f')],
  ['one letter', (secret: string) => secret.replace('k', '%6B')],
  ['all of it', encoded],
])('a key with %s percent-encoded is refused as well', async (_, encode) => {
  const key = await aKey(t, await buildCompany(t))
  const answer = await t.app.inject({ method: 'GET', url: `/app/api/v1/devices?api_key=${encode(key.secret)}` })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'KEY_IN_ADDRESS'])
  const path = `/app/api/v1/devices/${encode(key.secret)}`
  await t.app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${key.secret}` } })
  expect((await calls(key)).data.map(({ path }: { path: string }) => path)).toEqual(['/app/api/v1/devices/isokey_...'])
})

test('they are forgotten after a week', async () => {
  const key = await aKey(t, await buildCompany(t))
  await get(key, '/devices')
  expect((await calls(key)).data).toHaveLength(1)
  t.clock.advance(8 * 86_400_000)
  const { sweepKept } = await import('../../sweep-kept.ts')
  await sweepKept.run(t.services, {})
  const admin = await buildUser(t, { company: key })
  expect((await t.call('GET', '/developer/calls', { token: admin.token })).body.payload.data).toEqual([])
})

test.each([
  ['/app/api/v1/devices', '/app/api/v1/devices'],
  ['/x?token=abc&page=2&from=2026-01-01T00:00:00Z', '/x?token=...&page=2&from=2026-01-01T00:00:00Z'],
  ['/x?deviceIds=1,2&email=a%40b.c', '/x?deviceIds=1,2&email=...'],
  [`/${'a'.repeat(900)}`, `/${'a'.repeat(499)}`],
])('%s is noted without what may be secret', (url, noted) => {
  expect(pathOf(url)).toBe(noted)
})

test('a key has so many calls at once, says how many are left, and is told when to come back', async () => {
  const key = await aKey(t, await buildCompany(t))
  const answers: Awaited<ReturnType<typeof get>>[] = []
  for (let each = 0; each < 9; each++) answers.push(await get(key, '/devices'))
  expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill(200), 429])
  const limits = (answer: (typeof answers)[number] | undefined) =>
    ['limit', 'remaining', 'reset', 'policy'].map((name) => answer?.headers[`ratelimit-${name}`])
  expect(limits(answers[0])).toEqual(['8', '7', '8', '8;w=60'])
  expect(limits(answers[8])).toEqual(['8', '0', '60', '8;w=60'])
  expect(answers[8]?.headers['retry-after']).toBe('8')
  // People of the company, and its other keys, have calls of their own.
  expect((await t.call('GET', '/devices', { token: key.admin.token })).headers['ratelimit-limit']).toBeUndefined()
  const other = await aKey(t, key, { admin: key.admin })
  const more: typeof answers = []
  for (let each = 0; each < 5; each++) more.push(await get(other, '/devices'))
  expect(more.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  // The bucket of the company has the least left.
  expect(limits(more[0])).toEqual(['12', '3', '45', '12;w=60'])
  expect(limits(more[4])).toEqual(['12', '0', '60', '12;w=60'])
  expect(more[4]?.headers['retry-after']).toBe('5')
  t.clock.advance(60_000)
  expect((await get(key, '/devices')).status).toBe(200)
})

test('writes are fewer than calls, and the answers say so before one is refused', async () => {
  const key = await aKey(t, await buildCompany(t))
  const answers: string[] = []
  for (let each = 0; each < 4; each++) {
    const { status, headers } = await t.call('POST', '/alarms', { token: key.secret, body: {} })
    answers.push(`${status === 429} ${headers['ratelimit-limit']} ${headers['ratelimit-remaining']}`)
  }
  expect(answers).toEqual(['false 3 2', 'false 3 1', 'false 3 0', 'true 3 0'])
  const read = await get(key, '/devices')
  // The refused write took nothing from the calls.
  expect([read.status, read.headers['ratelimit-remaining']]).toEqual([200, '4'])
})

test('files and long periods are heavy: a key has fewer of them', async () => {
  const key = await aKey(t, await buildCompany(t))
  const standing = ({ status, headers }: Awaited<ReturnType<typeof get>>) =>
    [status, headers['ratelimit-limit'], headers['ratelimit-remaining']].join(' ')
  const csv = async () => standing(await get(key, '/devices/export'))
  expect([await csv(), await csv(), await csv()]).toEqual(['200 2 1', '200 2 0', '429 2 0'])
  expect(standing(await get(key, '/devices'))).toBe('200 8 5')
  const long = { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }
  expect(standing(await get(key, '/excursions', { query: long }))).toBe('429 2 0')
  expect((await get(key, '/excursions', { query: { ...long, to: '2026-01-20T00:00:00Z' } })).status).not.toBe(429)
})

test.each([
  ['no end', { from: '2026-01-01T00:00:00Z' }],
  ['no start', { to: '2026-01-20T00:00:00Z' }],
  ['neither', {}],
])('a period with %s is as heavy as the longest one', async (_, query: Record<string, string>) => {
  const key = await aKey(t, await buildCompany(t))
  const ask = async (path: string) => (await get(key, path, { query })).status
  const totals = '/excursions/totals'
  expect([await ask(totals), await ask(totals), await ask(totals)]).toEqual([200, 200, 429])
  // A list gives one page of it.
  expect(await ask('/excursions')).toBe(200)
})
