import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, renameDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()

const read = async (user: TestUser, query: Record<string, string> = {}) =>
  (await t.call('GET', '/audit-log', { token: user.token, query })).body.payload

test('the trail is read in words, searched, filtered, and only as far as a person may see', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff', locale: 'fr' })
  const open = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const secret = await aDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  await renameDevice(t, admin, open.id, 'Fridge 2')
  await renameDevice(t, admin, secret.id, 'Vault 2')
  await t.call('POST', '/users', {
    token: admin.token,
    body: { fullname: 'New', email: 'new.one@example.test', role: 'staff' },
  })
  const all = await read(admin)
  expect(all.data.map(({ title }: { title: string }) => title)).toEqual([
    'Team member invited',
    'Device changed',
    'Device changed',
  ])
  expect(all.data[2]).toMatchObject({
    who: admin.fullname,
    target: { kind: 'device' },
    before: { name: 'Fridge' },
    after: { name: 'Fridge 2' },
  })
  expect((await read(admin, { search: 'vault' })).meta.total).toBe(1)
  expect((await read(admin, { feature: 'users' })).meta.total).toBe(1)
  const team = await read(staff)
  expect(team.data.map(({ title, after }: { title: string; after: object }) => [title, after])).toEqual([
    [expect.any(String), { name: 'Fridge 2' }],
  ])
  expect(team.data[0].title).not.toBe('Device changed')
  const counted = (page: { filterCounts: { feature: Record<string, number> } }) =>
    Object.entries(page.filterCounts.feature).filter(([, count]) => count > 0)
  const ofAll = [
    ['all', 3],
    ['users', 1],
    ['devices', 2],
  ]
  expect(counted(all)).toEqual(ofAll)
  expect(counted(await read(admin, { feature: 'users' }))).toEqual(ofAll)
  expect(counted(await read(admin, { search: 'vault' }))).toEqual([
    ['all', 1],
    ['devices', 1],
  ])
  expect(counted(team)).toEqual([
    ['all', 1],
    ['devices', 1],
  ])
  expect((await read(await buildUser(t))).meta.total).toBe(0)
})

test('what an alarm or a group tells of private devices is not there for who may not see them', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const open = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const secret = await aDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  const devices = [open, secret].map(({ id }) => String(id))
  const made = async (path: string, body: object) => {
    const answer = await t.call('POST', path, { token: admin.token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload.id as string
  }
  const group = await made('/groups', { name: 'All of them', deviceIds: [] })
  const hiddenGroup = await made('/groups', { name: 'Backroom', visibility: 'private', deviceIds: [] })
  await t.call('PATCH', `/groups/${group}/devices/${secret.id}`, { token: admin.token, body: {} })
  await t.call('DELETE', `/groups/${group}/devices`, { token: admin.token, body: devices })
  await made('/alarms', {
    name: 'Warm',
    rule: { kind: 'value', temperatureMaxC: 8 },
    severity: 'warning',
    visibility: 'public',
    deviceIds: devices,
    groupIds: [group, hiddenGroup],
    recipients: [{ userId: admin.id, channels: ['app'] }],
  })
  const whole = await read(admin)
  expect(whole.data.map(({ action }: { action: string }) => action)).toContain('groups.devicesRemoved')
  expect(JSON.stringify(whole)).toContain('Backroom')
  expect(whole.data[0].after).toMatchObject({ deviceCount: 2, devices: [{ name: 'Fridge' }, { name: 'Vault' }] })
  const part = await read(staff)
  expect(JSON.stringify(part)).not.toMatch(/Vault|Backroom/)
  expect(part.data[0].after).toMatchObject({ deviceCount: 1, devices: [{ name: 'Fridge' }], groups: [{ id: group }] })
  expect((await read(admin, { search: 'vault' })).meta.total).toBeGreaterThan(0)
  expect((await read(staff, { search: 'vault' })).meta.total).toBe(0)
  expect((await read(staff, { search: 'warm' })).meta.total).toBe(1)
})

test('what is done to a report is told in words, but not of one about private devices to who may not see them', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const open = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const secret = await aDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  const made = async (name: string, device: { id: number }) => {
    const recipients = [{ userId: staff.id }, { email: 'boss@example.test' }]
    const body = { name, cadence: 'weekly', weekday: 5, timezone: 'UTC', deviceIds: [String(device.id)], recipients }
    const answer = await t.call('POST', '/report', { token: admin.token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  await made('Weekly', open)
  await made('Of the back room', secret)
  const { data } = await read(admin, { feature: 'reports' })
  expect(data).toHaveLength(2)
  expect(data[1]).toMatchObject({ title: 'Report created', about: 'Report: Weekly' })
  expect(data[1].changes).toEqual(
    expect.arrayContaining([
      { name: 'How often', before: null, after: 'Weekly' },
      { name: 'Day of the week', before: null, after: 'Fri' },
      { name: 'Contents', before: null, after: 'Statistics, Charts, Excursions, Alarms' },
      { name: 'Recipients', before: null, after: expect.stringContaining('boss@example.test') },
    ]),
  )
  for (const { after } of data[1].changes) expect(after).not.toContain('{')
  const part = await read(staff, { feature: 'reports' })
  expect(part.data.map(({ about }: { about: string }) => about)).toEqual(['Report: Weekly'])
  expect((await read(staff, { search: 'vault' })).meta.total).toBe(0)
})

test('entries read in the words, language and zone of the reader', async () => {
  const admin = await buildUser(t)
  const reader = await buildUser(t, { company: admin, locale: 'fr' })
  await t.change(admin.companyId, `update users set timezone = 'Asia/Tokyo' where id = $1`, [reader.id])
  const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Frigo' })
  await t.call('PATCH', `/devices/${id}`, {
    token: admin.token,
    body: { limits: { temperatureMinC: -20, temperatureMaxC: 8 }, visibility: 'private' },
  })
  const [line] = (await read(reader)).data
  expect(line.about).toBe('Appareil\u00a0: Frigo')
  expect(line.changes).toEqual([
    { name: 'Visibilité', before: 'Public', after: 'Privé' },
    { name: 'Température minimale', before: null, after: '\u221220,0\u2009°C' },
    { name: 'Température maximale', before: null, after: '8,0\u2009°C' },
  ])
})

test('a screen that speaks another language than the person’s profile has the words of its own', async () => {
  const admin = await buildUser(t, { locale: 'fr' })
  const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Frigo_1' })
  await renameDevice(t, admin, id, 'Frigo_2')
  const titleFor = async (language: string) => {
    const answer = await t.call('GET', '/audit-log', { token: admin.token, headers: { 'accept-language': language } })
    return answer.body.payload.data[0].title
  }
  expect(await titleFor('es')).toBe('Dispositivo modificado')
  // A browser that asks by itself says nothing of what the person chose.
  expect(await titleFor('es-ES,es;q=0.9')).toBe('Appareil modifié')
  expect(await titleFor('xx')).toBe('Appareil modifié')
})

test('what the screen says is found, in the language it is said in', async () => {
  const admin = await buildUser(t, { locale: 'fr' })
  const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Frigo_1' })
  await renameDevice(t, admin, id, 'Frigo_2')
  const found = async (search: string) => (await read(admin, { search })).meta.total
  expect(await found('appareil modifié')).toBe(1)
  expect(await found('FRIGO_2')).toBe(1)
  expect(await found('Frigox2')).toBe(0)
  expect(await found('devices.changed')).toBe(0)
  expect(await found('127.0.0.1')).toBe(1)
})

test('an address is found in each of its forms, also by who reads only a part of the trail', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const body = { name: 'Cold room', visibility: 'public' }
  const made = await t.call('POST', '/groups', { token: admin.token, body, address: '2001:db8::7' })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  for (const user of [admin, staff]) {
    const found = async (search: string) => (await read(user, { search, feature: 'groups' })).meta.total
    for (const form of ['2001:db8::7', '2001:0DB8:0:0:0:0:0:7', '2001:db8::7/128', '2001:db8']) {
      expect([form, await found(form)]).toEqual([form, 1])
    }
    expect(await found('2001:db8::8')).toBe(0)
    expect(await found('127.0.0.1/32')).toBe(0)
  }
})

const csvOf = async (user: TestUser, query: Record<string, string> = {}) =>
  (await t.call('GET', '/audit-log/audit-trail.csv', { token: user.token, query })).body as string

test('the filtered trail is a CSV in words, in which no cell is a formula', async () => {
  const admin = await buildUser(t, { fullname: '=HYPERLINK("x")' })
  const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  await renameDevice(t, admin, id, '=1+1')
  await t.call('POST', '/auth/logout', { token: (await buildUser(t, { company: admin })).token })
  const text = await csvOf(admin, { feature: 'devices' })
  expect(text.split('\r\n')[0]).toBe(
    '\uFEFF"entry","when","time zone","who","what","about","before → after","reason","address","program"',
  )
  expect(text).toContain(',"UTC","\'=HYPERLINK(""x"")","Device changed","Device: Fridge","Name: Fridge → =1+1",')
  expect(text).not.toMatch(/(^|,)"?[=+@-]/m)
  expect(text).not.toContain('Logged out')
  expect((await read(admin, { search: 'exported' })).data[0]).toMatchObject({ title: 'Audit trail exported' })
})

test('a CSV of more entries than are read at once has each of them once', async () => {
  const admin = await buildUser(t)
  const about = {
    actor: { kind: 'guest' as const },
    origin: { address: '', agent: '', requestId: '' },
    at: t.clock.now(),
  }
  const many = Array.from({ length: 2_345 }, (_, n) => ({ action: 'devices.changed', after: { name: `n${n}` } }))
  await inTenant(t.pool, admin.companyId, ({ tx }) => writeAudit(tx, admin.companyId, about, many))
  const numbers = (await csvOf(admin))
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
  // The export's own entry was written before the answer began.
  expect(numbers).toEqual(Array.from({ length: 2_346 }, (_, n) => 2_346 - n))
})

test('of the trail a person exports what features they may export, and their own', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const secret = await aDevice(t, { companyId: admin.companyId, name: 'Vault', visibility: 'private' })
  await renameDevice(t, admin, id, 'Fridge 2')
  await renameDevice(t, admin, secret.id, 'Vault 2')
  expect(await csvOf(manager)).toContain('Fridge 2')
  expect(await csvOf(manager)).not.toContain('Vault')
  expect((await read(staff)).data.map(({ after }: { after: unknown }) => after)).toEqual([{ name: 'Fridge 2' }])
  expect(await csvOf(staff)).not.toContain('Fridge')
  expect(await csvOf(staff)).toContain('Audit trail exported')
})
