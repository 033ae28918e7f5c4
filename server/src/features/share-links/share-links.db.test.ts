import { beforeEach, describe, expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { startTestApp } from '../../../test/harness.ts'
import { giveLogo } from '../../../test/logo-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import { sweepKept } from '../../sweep-kept.ts'

const t = describeApp()
describePipeline(t)

let admin: TestUser
let manager: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  manager = await buildUser(t, { company: admin, role: 'manager' })
})

const post = ({ token }: TestUser, path: string, body: object) => t.call('POST', path, { token, body })
const get = ({ token }: TestUser, path: string) => t.call('GET', path, { token })
const remove = ({ token }: TestUser, path: string) => t.call('DELETE', path, { token })
const read = (token: string, isOpening = false) => t.call('POST', '/shared', { body: { token, isOpening } })
const shown = async (token: string) => {
  const { status, body } = await read(token)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload
}
const inTheClear = { lat: 6.45, lon: 3.39 }

/** A fridge that is too warm now, where something was measured an hour ago, too. */
async function warmFridge(more: { visibility?: 'private' | 'public'; name?: string } = {}) {
  const now = t.clock.now().getTime()
  const reading = (agoMs: number, temperatureC: number) => ({
    ...{ at: new Date(now - agoMs), temperatureC, humidityPct: 60, batteryPct: 77 },
    ...inTheClear,
  })
  return aDevice(t, {
    ...{ companyId: admin.companyId, name: 'Fridge', limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
    // Two hours apart: a trend by the hour never shows their mean.
    readings: [reading(7_200_000, 5), reading(60_000, 9.5)],
    ...more,
  })
}
const share = async (user: TestUser, id: number | string, more: object = {}, of = 'devices') => {
  const { status, body } = await post(user, `/${of}/${id}/share-links`, {
    label: 'For the hospital',
    hours: 24,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload as { id: string; token: string; expiresAt: string }
}
const wall = async (more: object = {}) =>
  (await post(admin, '/wall-screens', { label: 'Hall 2', ...more })).body.payload

test('a link shows name, values, limits, state, battery and time, and nothing else of the company but its name', async () => {
  const fridge = await warmFridge()
  const { token } = await share(manager, fridge.id)
  expect(token).toMatch(/^[\w-]{43}$/)
  const answer = await shown(token)
  expect(answer).toMatchObject({ kind: 'device', timezone: 'Africa/Lagos', chart: null })
  expect(answer.pages).toHaveLength(1)
  expect(answer.pages[0].devices).toEqual([
    {
      isSample: false,
      ...{ name: 'Fridge', status: 'live', temperatureC: 9.5, humidityPct: 60, batteryPct: 77 },
      limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null },
      judgement: { temperature: 'above', humidity: null },
      measuredAt: new Date(t.clock.now().getTime() - 60_000).toISOString(),
      ...{ outSince: expect.any(String), position: null, trend: [], openAlarms: null },
    },
  ])
  const text = JSON.stringify(answer)
  for (const secret of [fridge.imei, 'For the hospital', manager.fullname, `"${fridge.id}"`])
    expect(text).not.toContain(secret)
})

test('position and the last 24 hours are shown where they were chosen', async () => {
  const fridge = await warmFridge()
  const { token } = await share(admin, fridge.id, { showsPosition: true, showsChart: true })
  const { pages, chart } = await shown(token)
  expect(pages[0].devices[0].position).toMatchObject(inTheClear)
  expect(chart.temperature.max).toContain(9.5)
  expect(chart.limits[0]).toMatchObject({ temperatureMaxC: 8 })
})

test('only the hash of a token is stored; it is told once, in no list, and neither is it in the audit trail', async () => {
  const fridge = await warmFridge()
  const made = await share(manager, fridge.id)
  const [row] = await t.rows('select * from share_links where token_hash = $1', [tokenHash(made.token)])
  expect(row).toMatchObject({ id: made.id, user_id: manager.id })
  const lists = await Promise.all([get(manager, `/devices/${fridge.id}/share-links`), get(admin, '/share-links')])
  for (const { body } of lists) {
    const links = body.payload.data ?? body.payload
    expect(links).toMatchObject([{ id: made.id, label: 'For the hospital', createdBy: { name: manager.fullname } }])
  }
  const trail = await trailOf(t, admin.companyId)
  expect(trail.at(-1)).toMatchObject({
    ...{ action: 'shareLinks.made', actor: { id: manager.id }, target: { kind: 'shareLink', id: made.id } },
    after: { device: 'Fridge', showsPosition: false, expiresAt: made.expiresAt },
  })
  expect(JSON.stringify([row, lists.map(({ body }) => body), trail])).not.toContain(made.token)
})

test('openings are counted, asking again is not; when it was read last is shown', async () => {
  const fridge = await warmFridge()
  const { token } = await share(manager, fridge.id)
  const link = async () => (await get(manager, `/devices/${fridge.id}/share-links`)).body.payload[0]
  expect(await link()).toMatchObject({ openings: 0, lastReadAt: null })
  for (const isOpening of [true, false, false, true]) await read(token, isOpening)
  expect(await link()).toMatchObject({ openings: 2, lastReadAt: t.clock.now().toISOString() })
  t.clock.advance(61_000)
  await read(token)
  expect(await link()).toMatchObject({ openings: 2, lastReadAt: t.clock.now().toISOString() })
})

describe('a link answers with the same bytes as an unknown one', () => {
  const change = (sql: string, values: unknown[] = []) => t.change(admin.companyId, sql, values)
  test.each<[string, (link: { id: string; deviceId: number; groupId: string }) => Promise<unknown>]>([
    ['when it is over', async () => t.clock.advance(24 * 3_600_000)],
    ['once it was revoked', ({ id }) => change('update share_links set revoked_at = now() where id >= $1', [id])],
    [
      'when its device was deleted, and its group',
      async ({ deviceId, groupId }) => {
        await t.call('DELETE', `/groups/${groupId}`, { token: admin.token })
        await change('update devices set decommissioned_at = now() where id = $1', [deviceId])
      },
    ],
    [
      'when device and group became private',
      async () => {
        await change(`update devices set visibility = 'private'`)
        await change(`update groups set visibility = 'private'`)
      },
    ],
    [
      'when the company’s subscription expired',
      () => change('update companies set subscription_until = $1', [t.clock.now()]),
    ],
    ['when its maker left', () => t.call('DELETE', `/users/${manager.id}`, { token: admin.token })],
    ['when its maker is blocked', () => change(`update users set status = 'unverified' where id = $1`, [manager.id])],
    [
      'when its maker may not see devices any more',
      async () => {
        await change('delete from group_devices')
        await setMatrix(t, admin.companyId, 'manager', only('alarms.view'))
        await change(`update groups set visibility = 'private'`)
      },
    ],
  ])('%s', async (_, happens) => {
    const fridge = await warmFridge()
    const group = await buildGroup(t, admin, { deviceIds: [fridge.id] })
    const links = [await share(manager, fridge.id), await share(manager, group.id, {}, 'groups')]
    for (const { token } of links) await shown(token)
    await happens({ id: links[0]?.id ?? '', deviceId: fridge.id, groupId: group.id })
    const bytes = async (token: string) => {
      const answer = await t.app.inject({ method: 'POST', url: '/app/api/v1/shared', payload: { token } })
      const { 'x-request-id': _id, 'server-timing': _time, date: _date, ...headers } = answer.headers
      return [answer.statusCode, headers, answer.rawPayload.toString('hex')]
    }
    const unknown = await bytes('x'.repeat(43))
    expect(unknown[0]).toBe(400)
    for (const { token } of links) expect(await bytes(token)).toEqual(unknown)
  })
})

test('a link of an Admin shows a private device if it was private by then, and goes dark if it became so later', async () => {
  const [open, hidden] = [await warmFridge(), await warmFridge({ visibility: 'private', name: 'Vault' })]
  const [ofOpen, ofHidden] = [await share(admin, open.id), await share(admin, hidden.id)]
  expect((await shown(ofHidden.token)).pages[0].devices[0].name).toBe('Vault')
  await t.change(admin.companyId, `update devices set visibility = 'private'`)
  expect((await read(ofOpen.token)).body.code).toBe('LINK_INVALID')
})

test('people share what they may see and edit, and nothing else', async () => {
  const [open, hidden] = [await warmFridge(), await warmFridge({ visibility: 'private', name: 'Vault' })]
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const body = { label: 'x', hours: 1 }
  expect((await post(staff, `/devices/${open.id}/share-links`, body)).status).toBe(403)
  expect((await post(manager, `/devices/${hidden.id}/share-links`, body)).status).toBe(404)
  expect((await get(manager, `/devices/${hidden.id}/share-links`)).status).toBe(404)
  const { id } = await share(admin, hidden.id)
  expect((await remove(manager, `/device-share-links/${id}`)).status).toBe(404)
  expect((await post(admin, `/devices/${open.id}/share-links`, { ...body, hours: 721 })).status).toBe(422)
  const group = await buildGroup(t, admin, { deviceIds: [open.id, hidden.id] })
  const refused = await post(manager, `/groups/${group.id}/share-links`, { ...body, showsPrivate: true })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['showsPrivate']])
})

test('who may edit a device revokes its links, also those of others, at once and once', async () => {
  const fridge = await warmFridge()
  const { id, token } = await share(admin, fridge.id)
  expect((await remove(manager, `/group-share-links/${id}`)).status).toBe(404)
  expect((await remove(manager, `/device-share-links/${id}`)).status).toBe(200)
  expect((await read(token)).body.code).toBe('LINK_INVALID')
  expect((await remove(manager, `/device-share-links/${id}`)).status).toBe(404)
  expect((await get(admin, '/share-links')).body.payload.data).toEqual([])
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'shareLinks.revoked', actor: { id: manager.id }, before: { device: 'Fridge' } },
  })
})

test('a group’s link shows its public devices, the worst first, and private ones where an Admin says so', async () => {
  const well = await aDevice(t, { companyId: admin.companyId, name: 'A well' })
  const [warm, hidden] = [await warmFridge(), await warmFridge({ visibility: 'private', name: 'Vault' })]
  const group = await buildGroup(t, admin, { deviceIds: [well.id, warm.id, hidden.id], name: 'Hall' })
  const names = async (token: string) => {
    const { pages } = await shown(token)
    return [
      pages[0].name,
      pages[0].total,
      pages[0].outOfRange,
      pages[0].devices.map((each: { name: string }) => each.name),
    ]
  }
  const plain = await share(admin, group.id, { showsChart: true }, 'groups')
  expect(await names(plain.token)).toEqual(['Hall', 2, 1, ['Fridge', 'A well']])
  const whole = await share(admin, group.id, { showsPrivate: true }, 'groups')
  expect(await names(whole.token)).toEqual(['Hall', 3, 2, ['Fridge', 'Vault', 'A well']])
  const trend = (await shown(plain.token)).pages[0].devices[0].trend
  expect([trend.length, trend.filter((value: number | null) => value !== null)]).toEqual([
    24,
    expect.arrayContaining([9.5]),
  ])
})

describe('a wall screen', () => {
  test('shows its groups in their order, tells of open alarms, and goes on without a group that is gone', async () => {
    const fridge = await warmFridge()
    const alarm = await anAlarm(t, admin, { deviceIds: [fridge.id] })
    await aTrigger(t, admin, { alarmId: alarm.id, deviceId: fridge.id })
    const [first, second] = [
      await buildGroup(t, admin, { name: 'Zebra', deviceIds: [fridge.id] }),
      await buildGroup(t, admin, { name: 'Ant' }),
    ]
    const made = await wall({ groupIds: [first.id, second.id] })
    expect(made).toMatchObject({ kind: 'wall', expiresAt: null, groups: [{ name: 'Zebra' }, { name: 'Ant' }] })
    const { pages } = await shown(made.token)
    expect(pages.map(({ name }: { name: string }) => name)).toEqual(['Zebra', 'Ant'])
    expect(pages[0].devices[0]).toMatchObject({ name: 'Fridge', openAlarms: 1 })
    await t.call('DELETE', `/groups/${first.id}`, { token: admin.token })
    expect((await shown(made.token)).pages.map(({ name }: { name: string }) => name)).toEqual(['Ant'])
  })

  test('counts a device of two groups, and its alarms, once; as who made it may see them now', async () => {
    const fridge = await warmFridge()
    const vault = await warmFridge({ visibility: 'private', name: 'Vault' })
    const elsewhere = await warmFridge({ name: 'Elsewhere' })
    const spare = await aDevice(t, { companyId: admin.companyId, name: 'Spare' })
    const deviceIds = [fridge.id, vault.id, elsewhere.id]
    for (const alarm of [await anAlarm(t, admin, { deviceIds }), await anAlarm(t, admin, { deviceIds })])
      for (const deviceId of deviceIds) await aTrigger(t, admin, { alarmId: alarm.id, deviceId })
    const groups = [
      await buildGroup(t, admin, { deviceIds: [fridge.id, vault.id] }),
      await buildGroup(t, admin, { deviceIds: [fridge.id, spare.id] }),
    ]
    const groupIds = groups.map(({ id }) => id)
    const none = { silent: 0, inRange: 0 }
    const plain = await wall({ groupIds })
    expect((await shown(plain.token)).counts).toEqual({ ...none, outOfRange: 1, openAlarms: 2 })
    const { counts, pages } = await shown((await wall({ groupIds, showsPrivate: true })).token)
    expect([counts, pages.map((page: { outOfRange: number }) => page.outOfRange)]).toEqual([
      { ...none, outOfRange: 2, openAlarms: 4 },
      [2, 1],
    ])
    expect((await shown((await wall()).token)).counts).toEqual({ ...none, outOfRange: 2, openAlarms: 4 })
    const byGroup = await share(admin, groupIds[0] ?? '', {}, 'groups')
    expect((await shown(byGroup.token)).counts).toBeNull()

    const own = async (groupsShown: string[]) => {
      const query = { groupIds: groupsShown.join(',') }
      return (await t.call('GET', '/wall', { token: manager.token, query })).body.payload.counts
    }
    expect(await own(groupIds)).toEqual({ ...none, outOfRange: 1, openAlarms: 2 })
    await setMatrix(t, admin.companyId, 'manager', only('devices.view', 'groups.view'))
    expect(await own(groupIds)).toEqual({ ...none, outOfRange: 1, openAlarms: null })
  })

  test('without groups shows all public devices; it ends with its revoking only, or with its maker', async () => {
    await warmFridge()
    await warmFridge({ visibility: 'private', name: 'Vault' })
    const made = await wall()
    const names = async (token: string) =>
      (await shown(token)).pages[0].devices.map(({ name }: { name: string }) => name)
    expect(await names(made.token)).toEqual(['Fridge'])
    const whole = await wall({ showsPrivate: true })
    expect(await names(whole.token)).toEqual(['Fridge', 'Vault'])
    t.clock.advance(400 * 86_400_000)
    expect(await names(made.token)).toEqual(['Fridge'])
    // An Admin who is one no more does not show private devices.
    await t.change(admin.companyId, `update users set role = 'manager' where id = $1`, [admin.id])
    expect(await names(whole.token)).toEqual(['Fridge'])
    const other = await buildUser(t, { company: admin })
    expect((await remove(other, `/wall-screens/${made.id}`)).status).toBe(200)
    expect((await read(made.token)).body.code).toBe('LINK_INVALID')
  })

  test('of a person who is logged in shows the same, private devices for an Admin who asks for them', async () => {
    const [open] = [await warmFridge(), await warmFridge({ visibility: 'private', name: 'Vault' })]
    const group = await buildGroup(t, admin, { deviceIds: [open.id] })
    const names = async (user: TestUser, query: Record<string, string>) => {
      const { status, body } = await t.call('GET', '/wall', { token: user.token, query })
      return status === 200 ? body.payload.pages[0].devices.map(({ name }: { name: string }) => name) : status
    }
    expect(await names(admin, {})).toEqual(['Fridge'])
    expect(await names(admin, { showsPrivate: 'true' })).toEqual(['Fridge', 'Vault'])
    expect(await names(manager, { showsPrivate: 'true' })).toEqual(['Fridge'])
    expect(await names(manager, { groupIds: group.id })).toEqual(['Fridge'])
    expect(await names(manager, { groupIds: '999999' })).toBe(404)
  })

  test('is changed by Admins: its link stays, an open screen shows what was chosen, and the trail has both', async () => {
    const fridge = await warmFridge()
    const [hall, lab] = [
      await buildGroup(t, admin, { name: 'Hall', deviceIds: [fridge.id] }),
      await buildGroup(t, admin, { name: 'Lab' }),
    ]
    const made = await wall({ groupIds: [hall.id] })
    expect(await shown(made.token)).toMatchObject({ turnS: null, pages: [{ name: 'Hall' }] })
    const change = (user: TestUser, body: object) =>
      t.call('PATCH', `/wall-screens/${made.id}`, { token: user.token, body })
    const { status, body } = await change(admin, { label: 'Dock', groupIds: [lab.id, hall.id], turnS: 45 })
    expect([status, body.payload]).toMatchObject([200, { id: made.id, label: 'Dock', turnS: 45 }])
    expect(await shown(made.token)).toMatchObject({ turnS: 45, pages: [{ name: 'Lab' }, { name: 'Hall' }] })
    await change(admin, { groupIds: [] })
    expect(await shown(made.token)).toMatchObject({ turnS: 45, pages: [{ name: null }] })
    expect((await trailOf(t, admin.companyId)).filter(({ action }) => action === 'shareLinks.changed')).toMatchObject([
      { before: { groups: ['Hall'], turnS: null }, after: { label: 'Dock', groups: ['Lab', 'Hall'], turnS: 45 } },
      { before: { groups: ['Lab', 'Hall'] }, after: { groups: [] } },
    ])
    expect((await change(admin, {})).body.payload).toMatchObject({ label: 'Dock', turnS: 45 })
    expect((await change(manager, { label: 'x' })).status).toBe(403)
    const theirs = await buildGroup(t, await buildUser(t))
    expect((await change(admin, { groupIds: [theirs.id] })).status).toBe(404)
    expect((await change(admin, { turnS: 2 })).status).toBe(422)
    expect((await change(await buildUser(t), { label: 'x' })).status).toBe(404)
  })

  test('keeps a group that is gone when another is added', async () => {
    const [hall, lab] = [await buildGroup(t, admin, { name: 'Hall' }), await buildGroup(t, admin, { name: 'Lab' })]
    const made = await wall({ groupIds: [hall.id] })
    await t.call('DELETE', `/groups/${hall.id}`, { token: admin.token })
    const body = { groupIds: [hall.id, lab.id] }
    expect((await t.call('PATCH', `/wall-screens/${made.id}`, { token: admin.token, body })).status).toBe(200)
    expect((await shown(made.token)).pages.map(({ name }: { name: string }) => name)).toEqual(['Lab'])
  })

  test('of another company’s groups is not made', async () => {
    const { id } = await buildGroup(t, await buildUser(t))
    expect((await post(admin, '/wall-screens', { label: 'x', groupIds: [id] })).status).toBe(404)
  })
})

test('a company has so many links; one that is over or revoked makes room', async () => {
  const { quotas } = t.services.config
  const app = await startTestApp({ quotas: { ...quotas, shareLinks: { licensed: 2, unlicensed: 2 } } })
  const owner = await buildUser(app)
  const device = await aDevice(app, owner)
  const make = async (hours: number) =>
    app.call('POST', `/devices/${device.id}/share-links`, { token: owner.token, body: { label: 'x', hours } })
  const first = await make(24)
  expect([first.status, (await make(1)).status]).toEqual([200, 200])
  expect((await make(1)).body.code).toBe('QUOTA_EXCEEDED')
  app.clock.advance(3_600_000)
  expect((await make(1)).status).toBe(200)
  expect((await make(1)).body.code).toBe('QUOTA_EXCEEDED')
  await app.call('DELETE', `/device-share-links/${first.body.payload.id}`, { token: owner.token })
  expect((await make(1)).status).toBe(200)
  await app.close()
})

test('reading is limited by link and by address', async () => {
  const app = await startTestApp({
    rateLimits: { ...t.services.config.rateLimits, share: { perAccount: 3, perAddress: 5, windowS: 60 } },
  })
  const ask = async (token: string, address: string) =>
    (await app.call('POST', '/shared', { address, body: { token } })).status
  const one = 'x'.repeat(43)
  expect([await ask(one, '10.0.0.1'), await ask(one, '10.0.0.2'), await ask(one, '10.0.0.3')]).toEqual([400, 400, 400])
  expect(await ask(one, '10.0.0.4')).toBe(429)
  for (const n of [1, 2, 3, 4, 5]) expect(await ask(`${n}`.repeat(43), '10.0.1.1')).toBe(400)
  expect(await ask('6'.repeat(43), '10.0.1.1')).toBe(429)
  await app.close()
})

test('links that were over for a month are forgotten, others stay', async () => {
  const fridge = await warmFridge()
  await share(admin, fridge.id)
  await wall()
  const kinds = async () =>
    (await t.rows('select kind from share_links where company_id = $1 order by 1', [admin.companyId])).map(
      ({ kind }) => kind,
    )
  t.clock.advance(30 * 86_400_000)
  await sweepKept.run(t.services, {})
  expect(await kinds()).toEqual(['device', 'wall'])
  t.clock.advance(2 * 86_400_000)
  await sweepKept.run(t.services, {})
  expect(await kinds()).toEqual(['wall'])
})

test('the page has the logo of the company for as long as the link shows anything', async () => {
  const fridge = await warmFridge()
  const { token } = await share(manager, fridge.id)
  const logo = (of: string) => t.call('POST', '/shared/logo', { body: { token: of } })
  expect((await shown(token)).logoVersion).toBeNull()
  expect((await logo(token)).status).toBe(404)
  const version = await giveLogo(t, admin)
  expect((await shown(token)).logoVersion).toBe(version)
  const url = '/app/api/v1/shared/logo'
  const { headers, rawPayload } = await t.app.inject({ method: 'POST', url, payload: { token } })
  expect([headers['content-type'], rawPayload.toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG'])
  expect((await logo('x'.repeat(43))).body.code).toBe('LINK_INVALID')
  await t.call('PATCH', `/devices/${fridge.id}`, { token: admin.token, body: { visibility: 'private' } })
  expect((await logo(token)).body.code).toBe('LINK_INVALID')
})
