import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'

const t = describeApp()
const dayMs = 86_400_000

const settings = async (token: string) => (await t.call('GET', '/enterprise/developer', { token })).body.payload
const save = (token: string, body: object) => t.call('PUT', '/enterprise/developer', { token, body })
const devices = (token: string, more: { address?: string } = {}) => t.call('GET', '/devices', { token, ...more })
const matrix = only('devices.view', 'devices.addOrEdit')
const codeOf = async (token: string, more = {}) => {
  const { status, body } = await devices(token, more)
  return status === 200 ? 200 : `${status} ${body.code}`
}

describe('a key', () => {
  test('is made with its secret, which is told once and stored nowhere', async () => {
    const admin = await buildUser(t)
    const made = await save(admin.token, {
      keys: [{ name: ' Warehouse ', permissions: matrix, networks: ['203.0.113.7'] }],
    })
    expect(made.status).toBe(200)
    expect(made.headers['cache-control']).toBe('no-store')
    const [key] = made.body.payload.keys
    expect(key).toMatchObject({
      ...{ name: 'Warehouse', permissions: matrix, seesPrivate: false, networks: ['203.0.113.7/32'], state: 'active' },
      ...{ admin: { id: admin.id }, lastUsedAt: null, oldSecretUntil: null, hint: key.secret.slice(-4) },
    })
    expect(Date.parse(key.expiresAt) - t.clock.now().getTime()).toBe(365 * dayMs)
    const [again] = (await settings(admin.token)).keys
    expect(again.secret).toBeUndefined()
    const stored = await t.pool.query('select row_to_json(s)::text as row from api_key_secrets s')
    expect(stored.rows.some(({ row }) => row.includes(key.secret))).toBe(false)
    const [entry] = await t.rows('select action, actor, after from audit_log where company_id = $1 order by seq desc', [
      admin.companyId,
    ])
    expect(entry).toMatchObject({ action: 'developer.keyMade', actor: { kind: 'user', id: admin.id } })
    expect(JSON.stringify(entry)).not.toContain(key.secret)
  })

  test('calls what it was given and nothing else, and the trail names it', async () => {
    const { companyId } = await buildCompany(t)
    const device = await aDevice(t, { companyId })
    const key = await aKey(t, { companyId }, { permissions: ['devices.view', 'devices.addOrEdit'] })
    expect((await devices(key.secret)).body.payload.data.map(({ id }: { id: string }) => id)).toEqual([
      String(device.id),
    ])
    const renamed = await t.call('PATCH', `/devices/${device.id}`, {
      token: key.secret,
      body: { name: 'By a program' },
    })
    expect(renamed.status).toBe(200)
    expect((await t.call('GET', '/alarms', { token: key.secret })).body.code).toBe('FORBIDDEN')
    const [entry] = await t.rows('select actor from audit_log where company_id = $1 and action = $2', [
      companyId,
      'devices.changed',
    ])
    expect(entry?.actor).toEqual({ kind: 'key', id: key.id, name: 'Warehouse' })
  })

  test('never calls what an Admin or a person alone may, however much it may', async () => {
    const key = await aKey(t, await buildCompany(t))
    const refused = [
      ['GET', '/enterprise/developer'],
      ['GET', '/auth/profile'],
      ['GET', '/saved-views'],
      ['GET', '/live'],
      ['GET', '/audit-log'],
      ['POST', '/report'],
      ['POST', '/wallet/sms/purchase'],
    ] as const
    for (const [method, path] of refused)
      expect((await t.call(method, path, { token: key.secret })).body.code, path).toBe('FORBIDDEN')
    for (const path of ['/business-api', '/enterprise/features', '/geocode?q=lagos', '/enterprise/entitlement'])
      expect((await t.call('GET', path, { token: key.secret })).status, path).toBe(200)
  })

  test('is nobody: no list, count or choice of people has it', async () => {
    const admin = await buildUser(t)
    const key = await aKey(t, admin, { admin })
    const { data, meta } = (await t.call('GET', '/users', { token: admin.token })).body.payload
    expect([data.length, meta.total]).toEqual([1, 1])
    expect((await t.call('GET', `/users?search=Warehouse`, { token: admin.token })).body.payload.data).toEqual([])
    const changed = await t.call('PATCH', `/users/${key.id}`, { token: admin.token, body: { fullname: 'Not me' } })
    expect(changed.status).toBe(404)
    await expect(
      t.change(admin.companyId, 'update users set archived_at = null where id = $1', [key.id]),
    ).rejects.toThrow()
  })

  test('invites nobody, and is not made with the permission to', async () => {
    const company = await buildCompany(t)
    const key = await aKey(t, company, { permissions: ['users.view', 'users.addOrEdit'] })
    const body = { fullname: 'New', email: `staff${key.id}@example.test`, role: 'staff' }
    expect((await t.call('POST', '/users', { token: key.secret, body })).body.code).toBe('FORBIDDEN')
    const permissions = only('users.view', 'users.addOrEdit')
    const { status, body: refused } = await save(key.admin.token, { keys: [{ name: 'People', permissions }] })
    expect([status, Object.keys(refused.fields)]).toEqual([422, ['keys.0.permissions.users.addOrEdit']])
  })

  test('sees private devices only where an Admin lets it', async () => {
    const company = await buildCompany(t)
    const hidden = await aDevice(t, { ...company, visibility: 'private' })
    const [blind, seeing] = [await aKey(t, company), await aKey(t, company, { seesPrivate: true })]
    const one = async (token: string) => (await t.call('GET', `/devices/${hidden.id}`, { token })).status
    expect([await one(blind.secret), await one(seeing.secret)]).toEqual([404, 200])
  })
})

describe('a key that may not call any more', () => {
  test('is 401 with what became of it: revoked, expired, from a wrong network; a mistyped or unknown one is simply 401', async () => {
    const company = await buildCompany(t)
    const key = await aKey(t, company, { expiresInDays: 30, networks: ['192.0.2.0/24', '2001:db8::/32'] })
    const from = { address: '192.0.2.44' }
    expect(await codeOf(key.secret, from)).toBe(200)
    expect(await codeOf(key.secret, { address: '2001:db8::9' })).toBe(200)
    expect(await codeOf(key.secret, { address: '198.51.100.1' })).toBe('401 KEY_WRONG_NETWORK')
    expect(await codeOf(`${key.secret.slice(0, -1)}${key.secret.endsWith('0') ? '1' : '0'}`, from)).toBe(
      '401 UNAUTHENTICATED',
    )
    t.clock.advance(30 * dayMs)
    expect(await codeOf(key.secret, from)).toBe('401 KEY_EXPIRED')
    const prolonged = await save(key.admin.token, { keys: [{ id: key.id, expiresInDays: 90 }] })
    // The proof of the Admin's session is too old by now.
    expect(prolonged.body.code).toBe('PROOF_NEEDED')
    const admin = await buildUser(t, { company })
    expect((await save(admin.token, { keys: [{ id: key.id, expiresInDays: 90 }] })).status).toBe(200)
    expect(await codeOf(key.secret, from)).toBe(200)
    expect((await t.call('DELETE', `/developer/keys/${key.id}`, { token: admin.token })).status).toBe(200)
    expect((await t.call('DELETE', `/developer/keys/${key.id}`, { token: admin.token })).status).toBe(200)
    expect(await codeOf(key.secret, from)).toBe('401 KEY_REVOKED')
    expect((await save(admin.token, { keys: [{ id: key.id, name: 'Back' }] })).body.code).toBe('NOT_FOUND')
  })

  test('is stopped with the Admin whom it depends on, narrowed with them, and taken over by another', async () => {
    const company = await buildCompany(t)
    const [maker, other] = [await buildUser(t, { company }), await buildUser(t, { company })]
    const hidden = await aDevice(t, { ...company, visibility: 'private' })
    const key = await aKey(t, company, { admin: maker, seesPrivate: true })
    await t.change(company.companyId, `update users set role = 'staff' where id = $1`, [maker.id])
    expect((await t.call('GET', `/devices/${hidden.id}`, { token: key.secret })).status).toBe(404)
    expect((await t.call('GET', '/wallet', { token: key.secret })).body.code).toBe('FORBIDDEN')
    expect((await devices(key.secret)).status).toBe(200)
    await t.call('DELETE', `/users/${maker.id}`, { token: other.token })
    expect(await codeOf(key.secret)).toBe('401 KEY_REVOKED')
    expect((await settings(other.token)).keys[0]).toMatchObject({ state: 'stopped', admin: { id: maker.id } })
    await save(other.token, { keys: [{ id: key.id }] })
    expect(await codeOf(key.secret)).toBe(200)
    expect((await t.call('GET', `/devices/${hidden.id}`, { token: key.secret })).status).toBe(200)
  })
})

describe('rotating', () => {
  test('keeps both secrets good for a day; repeated meanwhile it changes nothing', async () => {
    const key = await aKey(t, await buildCompany(t))
    const rotated = await t.call('POST', `/developer/keys/${key.id}/rotate`, { token: key.admin.token })
    const { secret } = rotated.body.payload
    expect(secret).not.toBe(key.secret)
    expect([await codeOf(key.secret), await codeOf(secret)]).toEqual([200, 200])
    const again = await t.call('GET', '/enterprise/developer/refresh', { token: key.admin.token })
    expect([again.status, again.body.code]).toEqual([400, 'KEY_JUST_ROTATED'])
    expect([await codeOf(key.secret), await codeOf(secret)]).toEqual([200, 200])
    t.clock.advance(dayMs)
    expect([await codeOf(key.secret), await codeOf(secret)]).toEqual(['401 KEY_EXPIRED', 200])
    const admin = await buildUser(t, { company: key })
    const third = await t.call('GET', '/enterprise/developer/refresh', { token: admin.token, query: { keyId: key.id } })
    expect(await codeOf(third.body.payload.secret)).toBe(200)
    expect(await codeOf(key.secret)).toBe('401 UNAUTHENTICATED')
  })

  test('asks which key where there are several, and finds none where there is none', async () => {
    const admin = await buildUser(t)
    const refresh = (query = {}) => t.call('GET', '/enterprise/developer/refresh', { token: admin.token, query })
    expect((await refresh()).status).toBe(404)
    const [key] = [await aKey(t, admin, { admin }), await aKey(t, admin, { admin })]
    expect(Object.keys((await refresh()).body.fields)).toEqual(['keyId'])
    expect((await refresh({ keyId: key.id })).status).toBe(200)
    const foreign = await aKey(t, await buildCompany(t))
    expect((await refresh({ keyId: foreign.id })).status).toBe(404)
  })

  test('ten times at once makes one secret', async () => {
    const key = await aKey(t, await buildCompany(t))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => t.call('POST', `/developer/keys/${key.id}/rotate`, { token: key.admin.token })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.code ?? 'made'))).toEqual(new Set(['made', 'KEY_JUST_ROTATED']))
  })
})

describe('saving', () => {
  test('is refused field by field', async () => {
    const admin = await buildUser(t)
    const fieldsOf = async (...keys: object[]) => Object.keys((await save(admin.token, { keys })).body.fields ?? {})
    expect(await fieldsOf({})).toEqual(['keys.0.name', 'keys.0.permissions'])
    expect(
      await fieldsOf({ name: 'x', permissions: matrix, networks: ['300.1.1.1/8', '10.0.0.0/40', 'home'] }),
    ).toEqual(['keys.0.networks.0', 'keys.0.networks.1', 'keys.0.networks.2'])
    expect(await fieldsOf({ name: 'x', permissions: matrix, expiresInDays: 10_000 })).toEqual(['keys.0.expiresInDays'])
    expect(
      await fieldsOf({
        name: 'x',
        permissions: { ...matrix, alarms: { view: false, addOrEdit: true, export: false } },
      }),
    ).toEqual(['keys.0.permissions.alarms.view'])
    expect(await fieldsOf({ name: 'https://evil.example', permissions: matrix })).toEqual(['keys.0.name'])
    expect((await save(admin.token, { keys: [{ id: '987654321', name: 'x' }] })).status).toBe(404)
    const foreign = await aKey(t, await buildCompany(t))
    expect((await save(admin.token, { keys: [{ id: foreign.id, state: 'revoked' }] })).status).toBe(404)
    expect(await codeOf(foreign.secret)).toBe(200)
  })

  test('makes at most twenty good keys, and one that was revoked makes room', async () => {
    const admin = await buildUser(t)
    const key = (name: string) => ({ name, permissions: matrix })
    const made = await save(admin.token, { keys: Array.from({ length: 20 }, (_, index) => key(`Key ${index}`)) })
    expect(made.body.payload.keys.filter(({ secret }: { secret?: string }) => secret)).toHaveLength(20)
    const { status, body } = await save(admin.token, { keys: [key('One more')] })
    expect([status, body.code, body.message]).toEqual([400, 'LIMIT_REACHED', 'There can be no more than 20.'])
    const [first] = made.body.payload.keys
    expect((await save(admin.token, { keys: [{ id: first.id, state: 'revoked' }, key('One more')] })).status).toBe(200)
  })

  test('is listed and counted however many came after it and are over', async () => {
    const admin = await buildUser(t)
    const old = await aKey(t, admin, { admin, name: 'Old' })
    const later = { keys: Array.from({ length: 19 }, () => ({ name: 'Later', permissions: matrix })) }
    for (let round = 0; round < 7; round++) {
      expect((await save(admin.token, later)).status).toBe(200)
      await t.change(admin.companyId, 'update api_keys set expires_at = $1 where id > $2', [t.clock.now(), old.id])
    }
    const { keys } = (await t.call('GET', '/enterprise/developer', { token: admin.token })).body.payload
    expect(keys).toHaveLength(120)
    expect(keys[0]).toMatchObject({ id: old.id, state: 'active' })
    const rotated = await t.call('GET', '/enterprise/developer/refresh', { token: admin.token })
    expect(rotated.body.payload.id).toBe(old.id)
  })

  test('is no twenty-first good one by being prolonged after its end', async () => {
    const admin = await buildUser(t)
    const key = (name: string) => ({ name, permissions: matrix, expiresInDays: 365 })
    const old = await aKey(t, admin, { admin, expiresInDays: 30 })
    await t.change(admin.companyId, 'update api_keys set expires_at = $1 where id = $2', [t.clock.now(), old.id])
    const twenty = { keys: Array.from({ length: 20 }, (_, index) => key(`Key ${index}`)) }
    expect((await save(admin.token, twenty)).status).toBe(200)
    const prolonged = await save(admin.token, { keys: [{ id: old.id, expiresInDays: 30 }] })
    expect(prolonged.body.code).toBe('LIMIT_REACHED')
    expect((await devices(old.secret)).body.code).toBe('KEY_EXPIRED')
  })

  test('is an Admin’s alone, and begins nothing in a company that has expired', async () => {
    const admin = await buildUser(t)
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    expect(await settings(manager.token)).toBeUndefined()
    const key = await aKey(t, admin, { admin })
    await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    expect((await save(admin.token, { keys: [{ name: 'x', permissions: matrix }] })).body.code).toBe(
      'SUBSCRIPTION_EXPIRED',
    )
    expect((await save(admin.token, { keys: [{ id: key.id, name: 'Still changed' }] })).status).toBe(200)
    expect((await devices(key.secret)).status).toBe(200)
  })

  test('a double click with the same Idempotency-Key makes one key, and its secret is not kept in the clear', async () => {
    const admin = await buildUser(t)
    const once = () =>
      t.call('PUT', '/enterprise/developer', {
        ...{ token: admin.token, body: { keys: [{ name: 'Twice', permissions: matrix }] } },
        headers: { 'idempotency-key': 'click-1' },
      })
    const [first, second] = [await once(), await once()]
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.body).toEqual(first.body)
    const { keys } = await settings(admin.token)
    expect(keys).toHaveLength(1)
    const kept = await t.rows('select answer::text from idempotency_keys where company_id = $1', [admin.companyId])
    expect(kept).toHaveLength(1)
    expect(kept[0]?.answer).not.toContain('isokey_')
  })
})

test('business-api tells of the newest key', async () => {
  const key = await aKey(t, await buildCompany(t))
  const state = async () => (await t.call('GET', '/business-api', { token: key.admin.token })).body.payload.key
  expect(await state()).toEqual({ state: 'active', hint: key.secret.slice(-4) })
  await t.call('DELETE', `/developer/keys/${key.id}`, { token: key.admin.token })
  expect(await state()).toMatchObject({ state: 'revoked' })
})

test('a role that may everything is narrowed at once for the keys of an Admin who has it now', async () => {
  const company = await buildCompany(t)
  const key = await aKey(t, company)
  expect(defaultMatrix.manager.users.export).toBe(false)
  const exported = async () => (await t.call('GET', '/users/export', { token: key.secret })).status
  expect(await exported()).toBe(200)
  await t.change(company.companyId, `update users set role = 'manager' where id = $1`, [key.admin.id])
  expect(await exported()).toBe(403)
})
