import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { anEndpoint } from '../../../test/webhook-factory.ts'

const t = describeApp()

const url = 'https://hooks.example.test/isotherm'
let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

const add = (body: object = {}, user = admin) =>
  t.call('POST', '/developer/webhooks', { token: user.token, body: { url, events: ['alarm.opened'], ...body } })
const as = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, user = admin) =>
  t.call(method, `/developer/webhooks${path}`, { token: user.token, ...(body && { body }) })
const list = async (user = admin) => (await as('GET', '', undefined, user)).body.payload.data

test('an endpoint is added, changed, switched off and on, and removed, each with an entry in the trail; its secret is told once', async () => {
  const added = (await add({ description: 'ERP', events: ['alarm.opened', 'alarm.opened', 'order.ended'] })).body
    .payload
  expect(added).toMatchObject({ url, description: 'ERP', state: 'on', seesPrivate: false, version: 1, waiting: 0 })
  expect(added.events).toEqual(['alarm.opened', 'order.ended'])
  expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(JSON.stringify(await list())).not.toContain('whsec_')
  const { id } = added
  const changed = (await as('PATCH', `/${id}`, { version: 1, seesPrivate: true, state: 'off' })).body.payload
  expect(changed).toMatchObject({ seesPrivate: true, state: 'off', version: 2 })
  expect((await as('PATCH', `/${id}`, { version: 1, state: 'on' })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await as('POST', `/${id}/test`)).body.code).toBe('ENDPOINT_OFF')
  expect((await as('DELETE', `/${id}`)).status).toBe(200)
  expect([await list(), (await as('DELETE', `/${id}`)).status]).toEqual([[], 404])
  const trail = (await trailOf(t, admin.companyId)).filter(({ action }) => action.startsWith('webhooks.'))
  expect(trail.map(({ action }) => action)).toEqual(['webhooks.added', 'webhooks.changed', 'webhooks.removed'])
  expect(JSON.stringify(trail)).not.toContain('whsec_')
})

test('endpoints from before hear of private things by who made them, or by an Admin who is there', async () => {
  const [maker, gone] = [await buildUser(t, { company: admin }), await buildUser(t, { company: admin })]
  await add({ description: 'of one who is there', seesPrivate: true }, maker)
  await add({ description: 'of one who left', seesPrivate: true }, gone)
  await add({ description: 'of public things' }, maker)
  await t.call('DELETE', `/users/${gone.id}`, { token: admin.token })
  const migration = await readFile(new URL('../../../migrations/0166_private_by.sql', import.meta.url), 'utf8')
  await t.pool.query(`alter table webhook_endpoints drop column private_by; ${migration}`)
  const standing = (await list()).map(({ privateBy }: { privateBy: { id: string } | null }) => privateBy?.id ?? null)
  expect(standing).toEqual([maker.id, admin.id, null])
})

test('the secret is sealed: the database alone does not have it', async () => {
  const { secret } = (await add()).body.payload
  const rows = await t.rows('select * from webhook_secrets where company_id = $1', [admin.companyId])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
  expect(rows.some(({ secret_sealed }) => (secret_sealed as Buffer).includes(secret.slice(6)))).toBe(false)
})

test('a new secret signs beside the old one for a day; a third is refused meanwhile', async () => {
  const { id, secret } = (await add()).body.payload
  const rotated = (await as('POST', `/${id}/rotate`)).body.payload
  expect(rotated.secret).not.toBe(secret)
  expect(rotated.oldSecretUntil).toBe(new Date(t.clock.now().getTime() + 86_400_000).toISOString())
  expect((await as('POST', `/${id}/rotate`)).body.code).toBe('KEY_JUST_ROTATED')
  t.clock.advance(86_400_001)
  admin = await buildUser(t, { company: admin })
  expect((await list())[0].oldSecretUntil).toBeNull()
  expect((await as('POST', `/${id}/rotate`)).status).toBe(200)
})

test.each([
  ['http://hooks.example.test/', 'must begin with https'],
  ['https://10.0.0.1/', 'private network'],
  ['https://169.254.169.254/latest/meta-data', 'private network'],
  ['https://127.0.0.1/', 'private network'],
  ['https://2130706433/', 'private network'],
  ['https://localhost./', 'private network'],
  ['https://a.localhost/', 'private network'],
  ['https://[::1]/', 'private network'],
  ['https://[::ffff:7f00:1]/', 'private network'],
  ['https://[fd00::1]/', 'private network'],
  ['https://ada:secret@hooks.example.test/', 'user name or a password'],
  ['https://hooks.example.test:25/', 'ports 443 and 8443'],
  ['http://localhost:3000/app/api/v1/events', 'address of Isotherm itself'],
])('the address %s is refused at its field', async (refused, why) => {
  const { id } = await anEndpoint(t, admin)
  const own = t.services.config.publicUrl
  const address = refused.replace('http://localhost:3000', own)
  for (const answer of [await add({ url: address }), await as('PATCH', `/${id}`, { version: 1, url: address })]) {
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['url']])
    expect(answer.body.messages.join()).toContain(why)
  }
})

test.each([
  ['events', { events: [] }],
  ['events.0', { events: ['webhook.test'] }],
  ['events.0', { events: ['alarm.deleted'] }],
  ['url', { url: 'ftp://example.test/' }],
  ['url', { url: `https://example.test/${'x'.repeat(2_000)}` }],
  ['description', { description: 'x'.repeat(201) }],
  ['seesPrivate', { seesPrivate: 'yes' }],
  ['secret', { secret: 'whsec_mine' }],
])('bad input names its field: %s', async (field, body) => {
  const answer = await add(body)
  expect([answer.status, JSON.stringify(answer.body.fields)]).toEqual([422, expect.stringContaining(`"${field}"`)])
})

test('a company has at most ten endpoints, of two who add the last at once one does', async () => {
  for (let n = 0; n < 9; n++) await anEndpoint(t, admin)
  const codes = (await Promise.all([add(), add(), add()])).map(({ status, body }) => body.code ?? status)
  expect(codes.sort()).toEqual([200, 'LIMIT_REACHED', 'LIMIT_REACHED'])
})

test('Managers and Staff have nothing of it, and another company’s endpoints do not exist', async () => {
  const { id } = await anEndpoint(t, admin)
  for (const role of ['manager', 'staff'] as const) {
    const user = await buildUser(t, { company: admin, role })
    expect([(await as('GET', '', undefined, user)).status, (await add({}, user)).status]).toEqual([403, 403])
  }
  const stranger = await buildUser(t)
  const answers = [
    await as('PATCH', `/${id}`, { version: 1, description: 'mine' }, stranger),
    await as('DELETE', `/${id}`, undefined, stranger),
    await as('POST', `/${id}/rotate`, undefined, stranger),
    await as('POST', `/${id}/test`, undefined, stranger),
    await as('POST', `/${id}/replay`, { what: 'failed' }, stranger),
    await as('GET', `/${id}/deliveries`, undefined, stranger),
  ]
  expect([answers.map(({ status }) => status), await list(stranger)]).toEqual([Array(6).fill(404), []])
})

test('an old proof is not enough to add, change or rotate', async () => {
  const { id } = await anEndpoint(t, admin)
  t.clock.advance(16 * 60_000)
  const codes = [
    await add(),
    await as('PATCH', `/${id}`, { version: 1, state: 'off' }),
    await as('POST', `/${id}/rotate`),
  ]
  expect(codes.map(({ body }) => body.code)).toEqual(Array(3).fill('PROOF_NEEDED'))
})

test('an expired company adds no endpoint; those it has are changed and tested', async () => {
  const { id } = await anEndpoint(t, admin)
  await t.change(admin.companyId, `update companies set subscription_until = $2 where company_id = $1`, [
    ...[admin.companyId, new Date(t.clock.now().getTime() - 1)],
  ])
  expect((await add()).body.code).toBe('SUBSCRIPTION_EXPIRED')
  const answers = [await as('PATCH', `/${id}`, { version: 1, description: 'ERP' }), await as('POST', `/${id}/test`)]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})
