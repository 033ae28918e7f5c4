import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import { aRota } from '../../../test/rota-factory.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import { settleAll } from '../../core/devices/settle-all.ts'
import { insertPlan } from '../../core/provider/plans.ts'
import { asLogin } from '../../platform/db/transaction.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 14 }, supportEmail: 'help@cold.example' })
const dayMs = 86_400_000
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * dayMs).toISOString()

const entitlement = async (user: TestUser) =>
  (await t.call('GET', '/enterprise/entitlement', { token: user.token })).body.payload
const answerOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const invite = (user: TestUser, email: string) =>
  t.call('POST', '/users', { token: user.token, body: { fullname: 'Esi', email, role: 'staff' } })
const setup = (user: TestUser, imei: string, licenceKey?: string) =>
  t.call('POST', '/devices/setup', {
    token: user.token,
    body: { imei, name: `Unit ${imei}`, ...(licenceKey ? { licenceKey } : {}) },
  })
const addKey = (user: TestUser, licenceKey: string) =>
  t.call('POST', '/enterprise/addLicense', { token: user.token, body: { licenceKey } })
const licences = async (user: TestUser) =>
  (await t.call('GET', '/enterprise/fetchActiveLicense', { token: user.token })).body.payload.data

describe('the trial', () => {
  test('of a company that signs up lasts 14 days and is the smallest plan on sale; then new things are refused, and changes go on', async () => {
    const numbers = { name: 'One', devices: 1, users: 2, emails: 3, phones: 1, retention_months: 6 }
    await asLogin(t.pool, ({ tx }) => insertPlan(tx, { code: 'one', ...numbers }, t.clock.now()))
    await asLogin(t.pool, ({ tx }) => insertPlan(tx, { code: 'ten', ...numbers, devices: 10 }, t.clock.now()))
    const body = {
      companyName: 'Cold',
      fullname: 'Ada Obi',
      email: 'ada@cold.example',
      password: 'a long password it is',
    }
    expect((await t.call('POST', '/auth/register', { body })).status).toBe(200)
    const [company] = await t.rows<{ company_id: number }>(`select company_id from companies where name = 'Cold'`)
    const user = await buildUser(t, { company: { companyId: company?.company_id ?? 0 } })
    expect(await entitlement(user)).toEqual({
      state: 'trial',
      until: inDays(14),
      renews: false,
      isPaused: false,
      admins: [user.fullname],
      supportEmail: 'help@cold.example',
      use: {
        devices: { used: 0, limit: 1 },
        users: { used: 2, limit: 2 },
        emails: { used: 0, limit: 3 },
        phones: { used: 0, limit: 1 },
        retentionMonths: 6,
        deletion: null,
      },
    })
    const { imei } = await buildHardware(t)
    expect((await setup(user, imei)).status).toBe(200)
    t.clock.advance(14 * dayMs)
    expect(await entitlement(user)).toMatchObject({ state: 'expired' })
    expect(answerOf(await invite(user, 'esi@cold.example'))).toEqual([400, 'SUBSCRIPTION_EXPIRED'])
    const change = await t.call('PATCH', `/users/${user.id}`, { token: user.token, body: { fullname: 'Ada' } })
    expect(change.status).toBe(200)
  })

  test('is given once to a company that was there before plans were sold, and to none twice', async () => {
    const user = await buildUser(t)
    expect(await entitlement(user)).toMatchObject({ state: 'open', until: null })
    await settleAll(t.services)
    const until = inDays(14)
    expect(await entitlement(user)).toMatchObject({ state: 'trial', until })
    t.clock.advance(20 * dayMs)
    await settleAll(t.services)
    expect(await entitlement(user)).toMatchObject({ state: 'expired', until })
  })

  test('without trials a company that has no licence has expired from its beginning; switched off, nothing ends', async () => {
    const user = await buildUser(t)
    const withBilling = (billing: { isOn: boolean; trialDays: number }) =>
      settleAll({ ...t.services, config: { ...t.services.config, billing } })
    await withBilling({ isOn: true, trialDays: 0 })
    expect(await entitlement(user)).toMatchObject({ state: 'expired' })
    await withBilling({ isOn: false, trialDays: 0 })
    expect(await entitlement(user)).toMatchObject({ state: 'open', until: null })
  })
})

describe('a licence key', () => {
  test('in stock ends the expiry at once, begins with its first device, and is taken once', async () => {
    const user = await buildUser(t)
    await settleAll(t.services)
    t.clock.advance(15 * dayMs)
    const key = await buildKey(t, { devices: 2, months: 6 })
    const [first, second] = await Promise.all([addKey(user, key), addKey(user, key)])
    expect([first?.status, second?.status]).toEqual([200, 200])
    expect(first?.body.payload).toMatchObject({ state: 'stock', source: 'key', devices: { used: 0, of: 2 } })
    expect(second?.body.payload.id).toBe(first?.body.payload.id)
    expect(await entitlement(user)).toMatchObject({ state: 'running' })
    const [trail] = await t.rows<{ n: number }>(
      `select count(*)::int as n from audit_log where company_id = $1 and action = 'subscription.licenceTaken'`,
      [user.companyId],
    )
    expect(trail?.n).toBe(1)
    const { imei } = await buildHardware(t)
    expect((await setup(user, imei)).status).toBe(200)
    const [running] = await licences(user)
    expect(running).toMatchObject({
      state: 'running',
      startsAt: t.clock.now().toISOString(),
      devices: { used: 1, of: 2 },
    })
    expect((await entitlement(user)).until).toBe(running.expiresAt)
    expect(answerOf(await addKey(await buildUser(t), key))).toEqual([400, 'LICENCE_USED'])
    expect(answerOf(await addKey(user, 'ISO-AAAA-AAAA-AAAA-AAAA'))).toEqual([400, 'LICENCE_INVALID'])
  })

  test('that waits in stock begins by itself 12 months after it was issued', async () => {
    const user = await buildUser(t)
    const key = await buildKey(t, { months: 1 })
    t.clock.advance(100 * dayMs)
    await addKey(user, key)
    const [{ startsAt, expiresAt }] = await licences(user)
    t.clock.set(new Date(startsAt))
    expect((await licences(user))[0]).toMatchObject({ state: 'running' })
    t.clock.set(new Date(expiresAt))
    expect(await licences(user)).toEqual([])
    expect(await entitlement(user)).toMatchObject({ state: 'expired', until: expiresAt })
    expect(answerOf(await addKey(user, key))).toEqual([400, 'LICENCE_INVALID'])
  })

  test('for which a device brought time along does not end before that device', async () => {
    const user = await buildUser(t)
    const [long, short] = [await buildKey(t, { months: 12 }), await buildKey(t, { months: 1 })]
    const { imei } = await buildHardware(t)
    expect((await setup(user, imei, long)).status).toBe(200)
    await t.call('PATCH', '/device', { token: user.token, body: { imei, licenceKey: short } })
    const [device] = await t.rows<{ until: Date }>('select licence_until as until from devices where company_id = $1', [
      user.companyId,
    ])
    expect((await entitlement(user)).until).toBe(device?.until.toISOString())
  })
})

describe('a set-up without a key', () => {
  test('asks for one where the company has no licence, and says where all places are taken', async () => {
    const user = await buildUser(t)
    const [one, two] = [await buildHardware(t), await buildHardware(t)]
    const refused = await setup(user, one.imei)
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['licenceKey']])
    await aLicence(t, user.companyId)
    expect((await setup(user, one.imei)).status).toBe(200)
    const full = await setup(user, two.imei)
    expect(full.body).toMatchObject({ code: 'LIMIT_REACHED', limit: 1, used: 1 })
  })

  test('of two at once for the last place one wins', async () => {
    const user = await buildUser(t)
    await aLicence(t, user.companyId)
    const hardware = [await buildHardware(t), await buildHardware(t)]
    const answers = await Promise.all(hardware.map(({ imei }) => setup(user, imei)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('takes a place of what runs the longest, and of the trial last', async () => {
    const user = await buildUser(t)
    await settleAll(t.services)
    await aLicence(t, user.companyId, { days: 3 })
    const { imei } = await buildHardware(t)
    await setup(user, imei)
    const used = (await licences(user)).filter(({ devices }: { devices: { used: number } }) => devices.used > 0)
    expect(used).toMatchObject([{ source: 'subscription' }])
  })
})

describe('people', () => {
  test('are invited up to the plan; of two invitations at once one is the last', async () => {
    const user = await buildUser(t)
    await aLicence(t, user.companyId, { users: 2 })
    const answers = await Promise.all([invite(user, 'one@people.example'), invite(user, 'two@people.example')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const { body } = await invite(user, 'three@people.example')
    expect(body).toMatchObject({ code: 'LIMIT_REACHED', limit: 2, used: 2 })
    expect(body.message).toContain('2 people')
  })

  test('beyond a smaller plan stay, and only more of them are refused', async () => {
    const company = await buildCompany(t)
    const [user] = [await buildUser(t, { company }), await buildUser(t, { company }), await buildUser(t, { company })]
    await aLicence(t, company.companyId, { users: 1 })
    expect((await entitlement(user)).use.users).toEqual({ used: 3, limit: 1 })
    expect(answerOf(await invite(user, 'four@people.example'))).toEqual([400, 'LIMIT_REACHED'])
    await aLicence(t, company.companyId, { users: 3 })
    expect((await invite(user, 'four@people.example')).status).toBe(200)
  })

  test('are not limited by a licence without a plan, nor where nothing is sold', async () => {
    const user = await buildUser(t)
    await aLicence(t, user.companyId, { users: 1 })
    await addKey(user, await buildKey(t))
    expect((await invite(user, 'five@people.example')).status).toBe(200)
    expect((await entitlement(user)).use.users).toEqual({ used: 2, limit: null })
  })
})

describe('recipients', () => {
  const add = async (user: TestUser, recipients: object[], escalation?: object[]) => {
    const { id } = await aDevice(t, { companyId: user.companyId })
    const rule = { kind: 'value', temperatureMaxC: 8 }
    const body = { name: 'Too warm', rule, deviceIds: [String(id)], recipients }
    const more = escalation ? { escalation, escalateMinutes: 15 } : {}
    return t.call('POST', '/alarms', { token: user.token, body: { ...body, ...more } })
  }

  test('count once each, of alarms, escalations, rotas and reports; a changed alarm counts, too', async () => {
    const user = await buildUser(t, { phone: '+2348012345678' })
    await aLicence(t, user.companyId, { emails: 2, phones: 1 })
    const made = await add(user, [{ userId: user.id, channels: ['mail', 'sms'] }, { email: user.email }])
    expect(made.status).toBe(200)
    expect((await entitlement(user)).use).toMatchObject({
      emails: { used: 1, limit: 2 },
      phones: { used: 1, limit: 1 },
    })
    expect((await add(user, [{ email: 'a@mail.example' }])).status).toBe(200)
    const { id: deviceId } = await aDevice(t, { companyId: user.companyId })
    const report = (email: string) =>
      t.call('POST', '/report', {
        token: user.token,
        body: {
          name: 'Daily',
          cadence: 'daily',
          timezone: 'UTC',
          deviceIds: [String(deviceId)],
          recipients: [{ email }],
        },
      })
    expect((await report('a@mail.example')).status).toBe(200)
    expect(answerOf(await report('c@mail.example'))).toEqual([400, 'LIMIT_REACHED'])
    expect((await add(user, [{ userId: user.id, channels: ['mail'] }], [{ email: 'A@mail.example' }])).status).toBe(200)
    expect((await add(user, [{ email: 'b@mail.example' }])).body).toMatchObject({
      code: 'LIMIT_REACHED',
      limit: 2,
      used: 2,
    })
    const { id } = made.body.payload
    const change = (recipients: object[]) =>
      t.call('PATCH', `/alarms/${id}`, { token: user.token, body: { recipients } })
    expect(
      answerOf(
        await change([
          { phone: '+2348099999999', channels: ['sms'] },
          { userId: user.id, channels: ['sms'] },
        ]),
      ),
    ).toEqual([400, 'LIMIT_REACHED'])
    // One in the place of another is no more than before.
    expect((await change([{ phone: '+2348099999999', channels: ['sms'] }])).status).toBe(200)
  })

  test('of a rota count with the alarm that names it, and when people join it', async () => {
    const company = await buildCompany(t)
    const [user, other] = [await buildUser(t, { company }), await buildUser(t, { company })]
    const rota = await aRota(t, company, { people: [user.id] })
    await aLicence(t, company.companyId, { emails: 1 })
    expect((await entitlement(user)).use.emails.used).toBe(0)
    expect((await add(user, [{ rotaId: rota.id, channels: ['mail'] }])).status).toBe(200)
    expect((await entitlement(user)).use.emails.used).toBe(1)
    const body = { name: 'Nights', people: [user.id, other.id], weekday: 1, time: '08:00', startsOn: '2026-11-23' }
    expect(answerOf(await t.call('PUT', `/on-call/rotas/${rota.id}`, { token: user.token, body }))).toEqual([
      400,
      'LIMIT_REACHED',
    ])
  })

  test('are not added by a change once the company has expired; what is there goes on, and may be taken away', async () => {
    const user = await buildUser(t)
    const told = [{ email: 'b@mail.example' }]
    const { id: deviceId } = await aDevice(t, { companyId: user.companyId })
    const { id } = await anAlarm(t, user, { deviceIds: [deviceId], recipients: told })
    await aLicence(t, user.companyId, { days: 1 })
    t.clock.advance(dayMs)
    const change = (body: object) => t.call('PATCH', `/alarms/${id}`, { token: user.token, body })
    expect(answerOf(await change({ recipients: [...told, { email: 'a@mail.example' }] }))).toEqual([
      400,
      'SUBSCRIPTION_EXPIRED',
    ])
    expect((await change({ name: 'Warm' })).status).toBe(200)
    expect((await change({ recipients: [{ userId: user.id, channels: ['app'] }] })).status).toBe(200)
  })
})

test('readings are kept as the longest plan says, and a shorter one counts 90 days after the longer has ended', async () => {
  const user = await buildUser(t)
  const retention = async () => (await entitlement(user)).use.retentionMonths
  await aLicence(t, user.companyId, { retentionMonths: 24, days: 10 })
  await aLicence(t, user.companyId, { retentionMonths: 6, days: 150 })
  expect(await retention()).toBe(24)
  t.clock.advance(99 * dayMs)
  expect(await retention()).toBe(24)
  t.clock.advance(dayMs)
  expect(await retention()).toBe(6)
  t.clock.advance(141 * dayMs)
  expect(await retention()).toBe(null)
})

test('figures are for who may see payments; until when, and whom to ask, is for all', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  await aLicence(t, company.companyId)
  const staff = await buildUser(t, { company, role: 'staff' })
  expect(await entitlement(staff)).toMatchObject({ state: 'running', admins: [admin.fullname], use: null })
})
