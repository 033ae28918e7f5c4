import type { ExcursionAnnotation, ExcursionCause, ListedExcursion } from '@isotherm/contract/excursions.ts'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const hour = 3_600_000
const step = 10 * 60_000
const iso = (at: number) => new Date(at).toISOString()

/** A device whose temperature may be 2 to 8 degrees, measured every 10 minutes; `send` gives the values from a step on, null for silence. */
async function deviceOf(admin: TestUser, given: { name?: string; visibility?: 'private' | 'public' } = {}) {
  const start = t.clock.now().getTime() - 10 * hour
  const validFrom = new Date(start - 24 * hour)
  const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
  const device = await aDevice(t, { companyId: admin.companyId, intervalS: 600, validFrom, limits, ...given })
  const send = (fromStep: number, ...values: (number | null)[]) =>
    pipeline.send(
      device,
      values.flatMap((temperatureC, index) =>
        temperatureC === null ? [] : [{ at: new Date(start + (fromStep + index) * step), temperatureC }],
      ),
    )
  return { ...device, send, start }
}

const annotate = (user: TestUser, body: object) => t.call('PATCH', '/excursions', { token: user.token, body })

async function listOf(user: TestUser, query: Record<string, string> = {}): Promise<ListedExcursion[]> {
  const { status, body } = await t.call('GET', '/excursions', { token: user.token, query: { sort: 'start', ...query } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.payload.data
}

/** The first and last step outside of each excursion, and its notes, its own first. */
const notesOf = async (user: TestUser) =>
  (await listOf(user)).map(({ annotations }) => annotations.map(({ note }: ExcursionAnnotation) => note))

async function only1(user: TestUser, query: Record<string, string> = {}): Promise<ListedExcursion> {
  const found = await listOf(user, query)
  expect(found).toHaveLength(1)
  return found[0] as ListedExcursion
}

describe('cause, note and owner', () => {
  test('are set, changed one by one and emptied, with what was and is in the audit trail', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, 9, 9, 5)
    const { id } = await only1(admin)
    const body = { ids: [id], cause: 'doorOpen', note: ' Left open\nfor the delivery ', ownerId: admin.id }
    expect((await annotate(admin, body)).body.payload).toEqual({ changed: 1 })
    expect((await only1(admin)).annotations).toEqual([
      {
        cause: { key: 'doorOpen', name: 'Door open' },
        note: 'Left open\nfor the delivery',
        owner: { id: admin.id, name: admin.fullname },
        from: iso(device.start + step),
        to: iso(device.start + 2 * step),
        changedAt: iso(t.clock.now().getTime()),
        changedBy: admin.fullname,
      },
    ])
    await annotate(admin, { ids: [id], cause: 'defrost' })
    expect((await only1(admin)).annotations).toMatchObject([
      { cause: { key: 'defrost' }, note: 'Left open\nfor the delivery', owner: { id: admin.id } },
    ])
    expect((await annotate(admin, { ids: [id], cause: 'defrost' })).body.payload).toEqual({ changed: 0 })
    await annotate(admin, { ids: [id], cause: null, note: '', ownerId: null })
    expect((await only1(admin)).annotations).toEqual([])
    const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'devices.excursionAnnotated')
    expect(entries).toMatchObject([
      {
        target: { kind: 'device', id: String(device.id) },
        before: { cause: null, note: null, assignee: null },
        after: { cause: 'Door open', assignee: admin.fullname, excursion: iso(device.start + step) },
      },
      { before: { cause: 'Door open' }, after: { cause: 'Defrosting' } },
      { before: { cause: 'Defrosting', assignee: admin.fullname }, after: { cause: null, note: null, assignee: null } },
    ])
  })

  test('a field that somebody else changed since it was seen is refused, and nothing is written; another field is kept beside theirs', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, 9, 5, 9, 5)
    const ids = (await listOf(admin)).map(({ id }) => id)
    const seen = { cause: null, note: null, ownerId: null }
    expect((await annotate(admin, { ids, note: 'First', seen })).body.payload).toEqual({ changed: 2 })
    const late = await annotate(admin, { ids, note: 'Second', cause: 'defrost', seen })
    expect([late.status, late.body.code]).toEqual([400, 'CHANGED_MEANWHILE'])
    expect(await notesOf(admin)).toEqual([['First'], ['First']])
    await annotate(admin, { ids: [ids[0]], cause: 'defrost', seen })
    await annotate(admin, { ids: [ids[0]], note: 'Second', seen: { ...seen, note: 'First' } })
    expect((await listOf(admin))[0]?.annotations).toMatchObject([{ note: 'Second', cause: { key: 'defrost' } }])
    await annotate(admin, { ids: [ids[1]], note: 'Without a look' })
    expect(await notesOf(admin)).toEqual([['Second'], ['Without a look']])
  })

  test('are set for several at once, and each keeps what was not asked for', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, 9, 5, 9, 5, 1, 5)
    const [first, second, third] = await listOf(admin)
    await annotate(admin, { ids: [first?.id], note: 'First' })
    const ids = [first?.id, second?.id]
    expect((await annotate(admin, { ids, cause: 'powerCut' })).body.payload).toEqual({ changed: 2 })
    const found = (await listOf(admin)).map(({ annotations: [own] }) => [own?.cause?.key, own?.note])
    expect(found).toEqual([
      ['powerCut', 'First'],
      ['powerCut', null],
      [undefined, undefined],
    ])
    expect((await listOf(admin, { cause: 'none' })).map(({ id }) => id)).toEqual([third?.id])
    expect((await listOf(admin, { cause: 'powerCut' })).map(({ id }) => id)).toEqual(ids)
    await annotate(admin, { ids: [third?.id], cause: 'loading', ownerId: admin.id })
    expect((await listOf(admin, { cause: 'some' })).map(({ id }) => id)).toEqual([...ids, third?.id])
    expect((await listOf(admin, { owner: admin.id })).map(({ id }) => id)).toEqual([third?.id])
    expect((await listOf(admin, { owner: 'none' })).map(({ id }) => id)).toEqual(ids)
    const sorted = async (sort: string) =>
      (await listOf(admin, { sort })).map(({ annotations }) => annotations[0]?.cause?.key)
    expect(await sorted('cause')).toEqual(['loading', 'powerCut', 'powerCut'])
    expect((await listOf(admin, { sort: '-owner' })).map(({ id }) => id)).toEqual([third?.id, ...ids.toReversed()])
    expect((await listOf(admin, { sort: '-farthest' })).map(({ peak }) => peak)).toEqual([9, 9, 1])
  })

  test('are for those who may edit devices; an excursion that one does not see is a 404, and nothing is written', async () => {
    const admin = await buildUser(t)
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const stranger = await buildUser(t)
    const van = await deviceOf(admin, { name: 'Van 3' })
    const vault = await deviceOf(admin, { name: 'Vault', visibility: 'private' })
    await van.send(0, 9, 5)
    await vault.send(1, 9, 5)
    const [seen, hidden] = (await listOf(admin)).map(({ id }) => id)
    expect((await annotate(staff, { ids: [seen], note: 'x' })).status).toBe(403)
    expect((await annotate(manager, { ids: [seen, hidden], note: 'x' })).status).toBe(404)
    expect((await annotate(stranger, { ids: [seen], note: 'x' })).status).toBe(404)
    expect(await notesOf(admin)).toEqual([[], []])
    expect((await annotate(manager, { ids: [seen], note: 'Of the manager' })).status).toBe(200)
    await annotate(admin, { ids: [hidden], note: 'Of the vault' })
    expect(await notesOf(staff)).toEqual([['Of the manager']])
    await t.call('PATCH', `/devices/${van.id}`, { token: admin.token, body: { visibility: 'private' } })
    expect(await notesOf(staff)).toEqual([])
  })

  test('have an owner of the team who may see the device', async () => {
    const admin = await buildUser(t)
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const stranger = await buildUser(t)
    const vault = await deviceOf(admin, { visibility: 'private' })
    const van = await deviceOf(admin)
    await vault.send(0, 9, 5)
    await van.send(1, 9, 5)
    const [hidden, seen] = (await listOf(admin)).map(({ id }) => id)
    const fault = async (body: object) => {
      const answer = await annotate(admin, body)
      return [answer.status, answer.body.fields?.ownerId?.[0]]
    }
    expect(await fault({ ids: [seen], ownerId: stranger.id })).toEqual([
      422,
      'This is not there any more, or you may not see it.',
    ])
    const seesNot = [422, 'This person may not see all of these devices.']
    expect(await fault({ ids: [seen, hidden], ownerId: manager.id })).toEqual(seesNot)
    expect(await fault({ ids: [seen], ownerId: manager.id })).toEqual([200, undefined])
    await setMatrix(t, admin.companyId, 'staff', only('alarms.view'))
    expect(await fault({ ids: [seen], ownerId: staff.id })).toEqual(seesNot)
  })
})

describe('late readings', () => {
  test('move the beginning and the end: the annotation stays', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, null, 9, 9, null, 5)
    const { id } = await only1(admin)
    await annotate(admin, { ids: [id], note: 'Door' })
    await device.send(1, 10)
    await device.send(4, 10)
    expect(await only1(admin)).toMatchObject({
      startAt: iso(device.start + step),
      readings: 4,
      annotations: [{ note: 'Door' }],
    })
  })

  test('of a time before and after make excursions of their own, without the annotation', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, null, 5, 9, 5, null, 5)
    const { id } = await only1(admin)
    await annotate(admin, { ids: [id], note: 'Door' })
    await device.send(1, 9)
    await device.send(5, 9)
    expect(await notesOf(admin)).toEqual([[], ['Door'], []])
  })

  test('join two: the one that covers most is shown, the other one with it, until somebody saves', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 9, 9, 9, null, null, null, null, 9, 9, 5)
    const [long, short] = await listOf(admin)
    await annotate(admin, { ids: [long?.id], note: 'Long' })
    await annotate(admin, { ids: [short?.id], note: 'Short', cause: 'defrost' })
    await device.send(3, 9, 9, 9, 9)
    expect(await notesOf(admin)).toEqual([['Long', 'Short']])
    const { id } = await only1(admin)
    await annotate(admin, { ids: [id], note: 'Whole' })
    expect(await notesOf(admin)).toEqual([['Whole']])
    const last = (await trailOf(t, admin.companyId)).at(-1)
    expect(last).toMatchObject({
      before: { note: 'Long', joined: ['Defrosting, Short'] },
      after: { note: 'Whole', joined: [] },
    })
  })

  test('split one: both parts keep it, and each can be changed alone', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 9, 9, null, 9, 9, 5)
    const { id } = await only1(admin)
    await annotate(admin, { ids: [id], note: 'Whole' })
    await device.send(2, 5)
    expect(await notesOf(admin)).toEqual([['Whole'], ['Whole']])
    const [, second] = await listOf(admin)
    await annotate(admin, { ids: [second?.id], note: 'Second' })
    expect(await notesOf(admin)).toEqual([['Whole'], ['Second']])
    await annotate(admin, { ids: [second?.id], note: null })
    expect(await notesOf(admin)).toEqual([['Whole'], []])
  })

  test('an open one that goes on keeps it; the next one of the same device has none', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 5, 9)
    const { id } = await only1(admin)
    await annotate(admin, { ids: [id], note: 'Door' })
    await device.send(2, 9, 5, 9)
    expect(await notesOf(admin)).toEqual([['Door'], []])
  })

  test('one too warm and one too cold next to it do not share it', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 9, 1, 5)
    const [warm] = await listOf(admin)
    await annotate(admin, { ids: [warm?.id], note: 'Warm' })
    expect(await notesOf(admin)).toEqual([['Warm'], []])
  })
})

describe('causes', () => {
  const causesOf = async (user: TestUser, headers: Record<string, string> = {}): Promise<ExcursionCause[]> =>
    (await t.call('GET', '/excursions/causes', { token: user.token, headers })).body.payload
  const add = (user: TestUser, name: string) =>
    t.call('POST', '/excursions/causes', { token: user.token, body: { name } })
  const change = (user: TestUser, key: string, body: object) =>
    t.call('PATCH', `/excursions/causes/${key}`, { token: user.token, body })

  test('begin with usual ones; an Admin adds, renames and retires them, and the trail says so', async () => {
    const admin = await buildUser(t)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    expect((await causesOf(staff)).map(({ name }) => name)).toContain('Door open')
    const own = (await add(admin, 'Forklift')).body.payload
    expect((await add(admin, 'forklift')).body.fields).toEqual({ name: ['Another one has this name already.'] })
    expect((await add(admin, 'Door Open')).status).toBe(422)
    expect((await change(admin, 'doorOpen', { name: 'Dock door open' })).body.payload).toEqual({
      ...{ key: 'doorOpen', name: 'Dock door open', isRetired: false },
    })
    await change(admin, own.key, { isRetired: true })
    expect((await causesOf(staff)).at(-1)).toEqual({ key: own.key, name: 'Forklift', isRetired: true })
    expect((await change(admin, '999999', { isRetired: true })).status).toBe(404)
    const trail = (await trailOf(t, admin.companyId)).filter(({ action }) => /cause/.test(action))
    expect(trail).toMatchObject([
      { action: 'devices.causeAdded', after: { name: 'Forklift' } },
      { action: 'devices.causeChanged', before: { name: 'Door open' }, after: { name: 'Dock door open' } },
      { action: 'devices.causeChanged', before: { isRetired: false }, after: { isRetired: true } },
    ])
  })

  test('that are retired are not given any more, and stay where they were given', async () => {
    const admin = await buildUser(t)
    const device = await deviceOf(admin)
    await device.send(0, 9, 5, 9, 5)
    const [first, second] = await listOf(admin)
    await annotate(admin, { ids: [first?.id], cause: 'loading' })
    await change(admin, 'loading', { isRetired: true })
    expect((await listOf(admin))[0]?.annotations).toMatchObject([{ cause: { key: 'loading' } }])
    expect((await annotate(admin, { ids: [second?.id], cause: 'loading' })).status).toBe(422)
    expect((await annotate(admin, { ids: [first?.id], cause: 'loading', note: 'Again' })).status).toBe(200)
  })

  test('of another company do not exist', async () => {
    const [admin, stranger] = [await buildUser(t), await buildUser(t)]
    const { key } = (await add(stranger, 'Theirs')).body.payload
    expect((await change(admin, key, { isRetired: true })).status).toBe(404)
    expect((await causesOf(admin)).map(({ name }) => name)).not.toContain('Theirs')
    const device = await deviceOf(admin)
    await device.send(0, 9, 5)
    const { id } = await only1(admin)
    expect((await annotate(admin, { ids: [id], cause: key })).status).toBe(404)
    expect(await listOf(admin, { cause: key })).toEqual([])
  })
})

test('the chart of a device tells cause and note of its excursions', async () => {
  const admin = await buildUser(t)
  const device = await deviceOf(admin)
  await device.send(0, 5, 9, 5, 1, 5)
  const [warm] = await listOf(admin)
  await annotate(admin, { ids: [warm?.id], cause: 'doorOpen', note: 'Left open' })
  const query = { from: iso(device.start), to: iso(device.start + hour) }
  const { body } = await t.call('GET', `/devices/${device.id}/history/chart`, { token: admin.token, query })
  expect(body.payload.excursions).toMatchObject([
    { side: 'above', cause: 'Door open', note: 'Left open' },
    { side: 'below', cause: null, note: null },
  ])
})

describe('the list', () => {
  test('names the alarm that fired and the record, to those who see them', async () => {
    const admin = await buildUser(t)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const device = await deviceOf(admin)
    const alarm = await anAlarm(t, admin, {
      name: 'Too warm',

      deviceIds: [device.id],
      visibility: 'private',
    })
    const record = await buildRecord(t, { ...admin, deviceIds: [device.id], startAt: new Date(device.start) })
    await device.send(0, 5, 9, 5, 1, 5)
    const [warm, cold] = await listOf(admin)
    expect(warm).toMatchObject({
      triggers: [{ alarmId: String(alarm.id), name: 'Too warm' }],
      records: [{ id: String(record.id), groupId: null }],
    })
    expect(cold?.triggers).toEqual([])
    expect((await listOf(staff))[0]).toMatchObject({ triggers: [], records: [{ id: String(record.id) }] })
    await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
    expect((await listOf(staff))[0]?.triggers).toEqual([])
  })

  test('is exported as CSV without formulas: what the filters leave and the reader sees', async () => {
    const admin = await buildUser(t)
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const van = await deviceOf(admin, { name: '=Van' })
    const vault = await deviceOf(admin, { name: 'Vault', visibility: 'private' })
    await van.send(0, 5, 9, 5, 1, 5)
    await vault.send(1, 9, 5)
    const [first] = await listOf(admin)
    await annotate(admin, { ids: [first?.id], cause: 'doorOpen', note: '=HYPERLINK("x")', ownerId: manager.id })
    const read = async (user: TestUser, query: Record<string, string> = {}) => {
      const answer = await t.call('GET', '/excursions/export', {
        token: user.token,
        query: { sort: 'start', ...query },
      })
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
      return parse(String(answer.body), { bom: true, columns: true }) as Record<string, string>[]
    }
    const lines = await read(manager)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({
      ...{
        device: "'=Van",
        measure: 'temperature',
        side: 'above',
        start_utc: iso(van.start + step),
        limit: '8',
        peak: '9',
      },
      ...{ duration_minutes: '10', cause: 'Door open', note: `'=HYPERLINK("x")`, owner: manager.fullname },
    })
    expect(await read(admin)).toHaveLength(3)
    expect((await read(admin, { side: 'below' })).map(({ peak }) => peak)).toEqual(['1'])
    expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
      action: 'devices.excursionsExported',
      after: { count: 1 },
    })
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    expect((await t.call('GET', '/excursions/export', { token: staff.token })).status).toBe(403)
  })
})
