import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, password, token } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'
import { inTenant } from '../db/transaction.ts'
import { AfterCommit } from './after-commit.ts'
import { answerOnce, keptKb } from './idempotency.ts'
import { claimKey, type Keyed } from './idempotency-queries.ts'

const t = describeApp()

const add = (token: string, key: string, name = 'Ann') =>
  t.call('POST', '/dispatch/contacts', { token, body: { name }, headers: { 'idempotency-key': key } })
const names = async (token: string) =>
  (await t.call('GET', '/dispatch/contacts', { token })).body.payload.data.map(({ name }: { name: string }) => name)

test.each(['a person', 'a key'])(
  'a write of %s with one key ten times at once has one effect and ten equal answers',
  async (who) => {
    const admin = await buildUser(t)
    const token = who === 'a key' ? (await aKey(t, admin, { admin })).secret : admin.token
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(token, 'order-77')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(9)
    expect(await names(admin.token)).toEqual(['Ann'])
  },
)

test('however many calls wait for the answer of a slow one, the database is asked by one of them', async () => {
  const admin = await buildUser(t)
  expect((await add(admin.token, 'slow')).status).toBe(200)
  const ofCompany = 'where company_id = $1'
  const [kept] = await t.rows<{ answer: object }>(`select answer from idempotency_keys ${ofCompany}`, [admin.companyId])
  await t.change(admin.companyId, `update idempotency_keys set answer = null ${ofCompany}`, [admin.companyId])
  const waiting = Promise.all(Array.from({ length: 20 }, () => add(admin.token, 'slow')))
  // All of them have begun by then.
  await sleep(5_000)
  const asked = vi.spyOn(t.services.pool, 'connect')
  await sleep(1_500)
  expect(asked.mock.calls.length).toBeLessThan(10)
  asked.mockRestore()
  await t.change(admin.companyId, `update idempotency_keys set answer = $2 ${ofCompany}`, [
    admin.companyId,
    kept?.answer,
  ])
  const answers = await waiting
  expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual(
    Array(20).fill([200, 'true']),
  )
  expect(await names(admin.token)).toEqual(['Ann'])
})

test('an answer is kept also where the database is away for a moment; where it stays away, work that was done keeps its key and answers; work that failed gives it back', async () => {
  const { companyId, id: userId } = await buildUser(t)
  const keyed = (name: string): Keyed => {
    const hash = createHash('sha256').update(name).digest()
    return { companyId, userId, keyHash: hash, call: 'POST /nothing', fingerprint: hash, rights: '' }
  }
  const now = t.clock.now()
  for (const name of ['shortly', 'done', 'failed'])
    await inTenant(t.services.pool, companyId, ({ tx }) => claimKey(tx, keyed(name), now, now))
  let works = 0
  const work = new AfterCommit(async () => ++works)
  const away = () => Promise.reject(new Error('away'))
  const lost = vi.spyOn(t.services.pool, 'connect').mockImplementationOnce(away).mockImplementationOnce(away)
  expect(await answerOnce(t.services, keyed('shortly'), work)).toBe(1)
  lost.mockImplementation(away)
  expect(await answerOnce(t.services, keyed('done'), work)).toBe(2)
  lost.mockRestore()
  const failing = async () => Promise.reject(new Error('failed'))
  await expect(answerOnce(t.services, keyed('failed'), new AfterCommit(failing))).rejects.toThrow('failed')
  const left = await t.rows(
    'select key_hash as hash, answer is not null as "isKept" from idempotency_keys where company_id = $1 order by answer',
    [companyId],
  )
  expect(left).toEqual([
    { hash: keyed('shortly').keyHash, isKept: true },
    { hash: keyed('done').keyHash, isKept: false },
  ])
})

test('the same key with another body is refused, with another call as well, and each principal has keys of its own', async () => {
  const admin = await buildUser(t)
  const key = await aKey(t, admin, { admin })
  expect((await add(key.secret, 'k')).status).toBe(200)
  expect((await add(key.secret, 'k', 'Bob')).body.code).toBe('IDEMPOTENCY_MISMATCH')
  const other = { token: key.secret, body: { name: 'Ann' }, headers: { 'idempotency-key': 'k' } }
  expect((await t.call('POST', '/groups', other)).body.code).toBe('IDEMPOTENCY_MISMATCH')
  expect((await add(admin.token, 'k', 'Bob')).status).toBe(200)
  expect((await names(admin.token)).sort()).toEqual(['Ann', 'Bob'])
})

test('a change and a deletion are done once, and a refused write gives its key back', async () => {
  const admin = await buildUser(t)
  const { id, version } = (await add(admin.token, 'made')).body.payload
  const headers = { 'idempotency-key': 'gone' }
  const remove = () => t.call('DELETE', `/dispatch/contacts/${id}`, { token: admin.token, headers })
  const change = (key: string) =>
    t.call('PATCH', `/dispatch/contacts/${id}`, {
      ...{ token: admin.token, body: { version, name: 'Ann B' }, headers: { 'idempotency-key': key } },
    })
  const [first, second] = [await change('changed'), await change('changed')]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect((await change('other')).body.code).toBe('CHANGED_MEANWHILE')
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
  const bad = () => add(admin.token, 'bad', '')
  expect([(await bad()).status, (await add(admin.token, 'bad', 'Now right')).status]).toEqual([422, 200])
})

test('what is kept of a call lets nobody who has the database try out passwords', async () => {
  const admin = await buildUser(t)
  const body = { currentPassword: password, newPassword: 'another quite long password' }
  const headers = { 'idempotency-key': 'secret-change' }
  expect((await t.call('PATCH', '/auth/user/password', { token: admin.token, body, headers })).status).toBe(200)
  const [row] = await t.rows<{ call: string; fingerprint: Buffer }>(
    'select call, fingerprint from idempotency_keys where company_id = $1',
    [admin.companyId],
  )
  const guess = JSON.stringify([row?.call, { params: {}, query: {}, body }])
  expect(row?.fingerprint).toHaveLength(32)
  expect(row?.fingerprint.equals(createHash('sha256').update(guess).digest())).toBe(false)
})

test('who may less meanwhile does not get the answer that was given to who might more', async () => {
  const company = await buildCompany(t)
  const [admin, other] = [await buildUser(t, { company }), await buildUser(t, { company })]
  expect((await add(admin.token, 'mine')).status).toBe(200)
  expect((await add(admin.token, 'mine')).headers['idempotency-replayed']).toBe('true')
  const narrowed = await t.call('PATCH', `/users/${admin.id}`, { token: other.token, body: { role: 'manager' } })
  expect(narrowed.status).toBe(200)
  const again = await add(await token(t, { ...admin, role: 'manager' }), 'mine')
  expect([again.status, again.body.code]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
})

test('a company does not fill the disk with answers that are kept: beyond its share a call is done once, and says so', async () => {
  const admin = await buildUser(t)
  const kept = [{ key: `kept answers of company ${admin.companyId}`, bucket: keptKb }]
  expect((await add(admin.token, 'first')).status).toBe(200)
  expect(t.services.buckets.take(kept, t.clock.now().getTime(), keptKb.burst - 1)).toBe(0)
  for (let i = 0; i < 5; i += 1) await add(admin.token, `more ${i}`, `More ${i}`)
  expect((await add(admin.token, 'last', 'Last')).status).toBe(200)
  const again = await add(admin.token, 'last', 'Last')
  expect([again.status, again.body.code]).toEqual([400, 'IDEMPOTENCY_NOT_KEPT'])
  expect((await names(admin.token)).filter((name: string) => name === 'Last')).toHaveLength(1)
  expect((await add(admin.token, 'first')).headers['idempotency-replayed']).toBe('true')
})

test('a key that is no line of printable text is a 422, and one on a call that only reads is not looked at', async () => {
  const admin = await buildUser(t)
  expect(Object.keys((await add(admin.token, 'x'.repeat(256))).body.fields)).toEqual(['Idempotency-Key'])
  const read = { token: admin.token, headers: { 'idempotency-key': 'x'.repeat(300) } }
  expect((await t.call('GET', '/dispatch/contacts', read)).status).toBe(200)
})

test('the document says of each write that it takes one', async () => {
  const { paths, components } = (await t.call('GET', '/openapi.json')).body
  const takes = (path: string, method: string) =>
    (paths[`/app/api/v1${path}`][method].parameters as { $ref?: string }[]).some(
      ({ $ref }) => $ref === '#/components/parameters/IdempotencyKey',
    )
  expect(components.parameters.IdempotencyKey).toMatchObject({ name: 'Idempotency-Key', in: 'header' })
  expect(takes('/dispatch/contacts', 'post')).toBe(true)
  expect(takes('/dispatch/contacts/{id}', 'delete')).toBe(true)
  expect(takes('/enterprise/developer', 'put')).toBe(true)
  expect(takes('/dispatch/contacts', 'get')).toBe(false)
  expect(takes('/auth/login', 'post')).toBe(false)
  expect(paths['/app/api/v1/devices'].get['x-api-key']).toBe(true)
  expect(paths['/app/api/v1/enterprise/developer'].put['x-api-key']).toBe(false)
})
