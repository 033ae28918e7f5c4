import { onCallLimits } from '@isotherm/contract/on-call.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { aRota } from '../../../test/rota-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
let ben: TestUser
let cid: TestUser
beforeEach(async () => {
  // A Wednesday.
  t.clock.set(new Date('2026-11-18T12:00:00Z'))
  admin = await buildUser(t)
  ben = await buildUser(t, { company: admin, role: 'manager' })
  cid = await buildUser(t, { company: admin, role: 'staff' })
})

const send = (method: 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, body?: object, user = admin) =>
  t.call(method, path, { token: user.token, ...(body && { body }) })
const rotas = async (user = admin) => (await t.call('GET', '/on-call/rotas', { token: user.token })).body.payload
const nights = (people: TestUser[], more: object = {}) => ({
  ...{ name: 'Nights', people: people.map(({ id }) => id), weekday: 1, time: '08:00', startsOn: dayFrom(0) },
  ...more,
})
/** The day so many days from now, by the company's clocks. */
const dayFrom = (days: number) =>
  new Date(t.clock.now().getTime() + 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const inHours = (hours: number) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString()
const named = ({ id, fullname }: TestUser) => ({ id, name: fullname })
const actions = async () =>
  (await trailOf(t, admin.companyId)).map(({ action }) => action).filter((action) => action.startsWith('alarms.'))

describe('a rota', () => {
  test('says who is on call now and in the next weeks, to all who see alarms', async () => {
    const made = (await send('POST', '/on-call/rotas', nights([admin, ben]))).body.payload
    const [rota] = await rotas(cid)
    expect(rota).toEqual(made)
    expect(rota).toMatchObject({ name: 'Nights', zone: 'Africa/Lagos', onCall: named(admin) })
    expect(rota.shifts.map(({ person }: { person: object }) => person)).toEqual(
      Array.from({ length: onCallLimits.turns }, (_, turn) => named(turn % 2 === 0 ? admin : ben)),
    )
    t.clock.advance(7 * 86_400_000)
    expect((await rotas())[0].onCall).toEqual(named(ben))
  })
  test('is changed and deleted, with entries; a name is there once', async () => {
    const { id } = (await send('POST', '/on-call/rotas', nights([admin]))).body.payload
    expect((await send('POST', '/on-call/rotas', nights([ben], { name: 'NIGHTS' }))).status).toBe(422)
    const changed = await send('PUT', `/on-call/rotas/${id}`, nights([ben, admin], { time: '20:00' }))
    expect(changed.body.payload).toMatchObject({ time: '20:00', people: [named(ben), named(admin)] })
    expect((await send('DELETE', `/on-call/rotas/${id}`)).status).toBe(200)
    expect(await rotas()).toEqual([])
    expect((await send('PUT', `/on-call/rotas/${id}`, nights([ben]))).status).toBe(404)
    expect((await send('POST', '/on-call/rotas', nights([ben]))).status).toBe(200)
    expect(await actions()).toEqual([
      ...['alarms.rotaCreated', 'alarms.rotaChanged', 'alarms.rotaDeleted', 'alarms.rotaCreated'],
    ])
  })
  test('that somebody else changed meanwhile is not replaced unseen', async () => {
    const { id, version } = (await send('POST', '/on-call/rotas', nights([admin]))).body.payload
    const theirs = await send('PUT', `/on-call/rotas/${id}`, nights([admin, ben], { version }), ben)
    expect(theirs.body.payload.version).toBe(version + 1)
    const late = await send('PUT', `/on-call/rotas/${id}`, nights([admin, cid], { version }))
    expect([late.status, late.body.code]).toEqual([400, 'CHANGED_MEANWHILE'])
    expect((await rotas())[0].people).toMatchObject([named(admin), named(ben)])
  })
  test('takes people of the company only, and who was removed meanwhile may stay in it', async () => {
    const stranger = await buildUser(t)
    const refused = await send('POST', '/on-call/rotas', nights([admin, stranger]))
    expect(refused.body.fields).toHaveProperty(['people.1'])
    const { id } = (await send('POST', '/on-call/rotas', nights([ben, admin]))).body.payload
    await send('DELETE', `/users/${ben.id}`)
    const kept = await send('PUT', `/on-call/rotas/${id}`, nights([ben, admin], { name: 'Days' }))
    expect(kept.body.payload.people).toEqual([
      { ...named(ben), isAvailable: false },
      { ...named(admin), isAvailable: true },
    ])
    expect((await send('POST', '/on-call/rotas', nights([ben]))).status).toBe(422)
  })
  test('skips who was removed or may not see alarms; with nobody left it has nobody on call', async () => {
    const { id } = await aRota(t, admin, { people: [ben.id, cid.id], startsOn: dayFrom(0) })
    const onCall = async () => (await rotas()).find((rota: { id: string }) => rota.id === id).onCall
    expect(await onCall()).toEqual(named(ben))
    await send('DELETE', `/users/${ben.id}`)
    expect(await onCall()).toEqual(named(cid))
    await setMatrix(t, admin.companyId, 'staff', only('alarms.view'))
    expect(await onCall()).toBeNull()
  })
  test('is written by who may edit alarms, and there are so many', async () => {
    expect((await send('POST', '/on-call/rotas', nights([admin]), cid)).status).toBe(403)
    const answers = []
    for (let count = 0; count <= onCallLimits.rotas; count++)
      answers.push(await send('POST', '/on-call/rotas', nights([admin], { name: `Rota ${count}` }), ben))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(onCallLimits.rotas)
    expect(answers.at(-1)?.body.code).toBe('ROTA_FULL')
  })
})

describe('an override', () => {
  const override = (rotaId: string, by: TestUser, insteadOf: TestUser, from = -1, to = 5) =>
    send('POST', `/on-call/rotas/${rotaId}/overrides`, {
      ...{ userId: by.id, insteadOf: insteadOf.id, from: inHours(from), to: inHours(to) },
    })
  test('lets one stand in for another for a time, and can be taken back', async () => {
    const { id } = await aRota(t, admin, { people: [admin.id, ben.id], startsOn: dayFrom(0) })
    const { payload } = (await override(id, cid, admin)).body
    expect(payload).toMatchObject({
      onCall: named(cid),
      overrides: [{ person: named(cid), insteadOf: named(admin), from: inHours(-1), to: inHours(5) }],
    })
    expect(payload.shifts[0]).toMatchObject({ person: named(cid), insteadOf: named(admin), to: inHours(5) })
    t.clock.advance(6 * 3_600_000)
    expect((await rotas())[0]).toMatchObject({ onCall: named(admin), overrides: [] })
    t.clock.advance(-6 * 3_600_000)
    expect((await send('DELETE', `/on-call/overrides/${payload.overrides[0].id}`)).status).toBe(200)
    expect((await rotas())[0]).toMatchObject({ onCall: named(admin), overrides: [] })
    expect(await actions()).toEqual(['alarms.overrideAdded', 'alarms.overrideRemoved'])
  })
  test('names two people of the company, and a time that is not over', async () => {
    const { id } = await aRota(t, admin)
    const stranger = await buildUser(t)
    const answers = [
      await override(id, admin, admin),
      await override(id, stranger, admin),
      await override(id, cid, stranger),
      await override(id, cid, admin, -5, -1),
      await override(id, cid, admin, 5, 1),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    expect(answers[3]?.body.fields).toHaveProperty('to')
  })
})

describe('a hand-over note', () => {
  const write = (user: TestUser, text = 'Van 3 is in the workshop') => send('POST', '/on-call/notes', { text }, user)
  const notes = async (user: TestUser, query: Record<string, string> = {}) =>
    (await t.call('GET', '/on-call/notes', { token: user.token, query })).body.payload
  test('is news to the others until one of them has read it', async () => {
    await aRota(t, admin, { people: [cid.id] })
    const { id } = (await write(cid)).body.payload
    expect((await notes(cid)).data).toMatchObject([{ text: 'Van 3 is in the workshop', canRead: false, readAt: null }])
    expect((await notes(ben)).data).toMatchObject([{ by: named(cid), canRead: true }])
    await send('PATCH', `/on-call/notes/${id}/read`, undefined, cid)
    expect((await notes(ben)).data).toMatchObject([{ canRead: true }])
    const read = await send('PATCH', `/on-call/notes/${id}/read`, undefined, ben)
    expect(read.body.payload).toMatchObject({
      readBy: ben.fullname,
      readAt: t.clock.now().toISOString(),
      canRead: false,
    })
    await send('PATCH', `/on-call/notes/${id}/read`, undefined, admin)
    expect((await notes(admin)).data).toMatchObject([{ readBy: ben.fullname, canRead: false }])
    expect(await actions()).toEqual(['alarms.handOverNoted', 'alarms.handOverRead'])
  })
  test('is written and read off by who is in a rota or may edit alarms; others see it', async () => {
    const { id } = (await write(ben)).body.payload
    expect((await write(cid)).body.code).toBe('NOT_ON_CALL')
    expect((await send('PATCH', `/on-call/notes/${id}/read`, undefined, cid)).body.code).toBe('NOT_ON_CALL')
    expect(await notes(cid)).toMatchObject({ canWrite: false, data: [{ canRead: false }] })
    await aRota(t, admin, { people: [cid.id] })
    expect(await notes(cid)).toMatchObject({ canWrite: true, data: [{ canRead: true }] })
    expect((await write(ben, '  ')).status).toBe(422)
    expect((await write(ben, 'a'.repeat(onCallLimits.noteLength + 1))).status).toBe(422)
  })
  test('stands with the past ones in pages, newest first; no other company’s', async () => {
    for (const text of ['one', 'two', 'three']) await write(admin, text)
    await write(await buildUser(t), 'elsewhere')
    const pages = [await notes(admin, { perPage: '2' }), await notes(admin, { perPage: '2', page: '2' })]
    expect(pages.flatMap(({ data }) => data.map(({ text }: { text: string }) => text))).toEqual(['three', 'two', 'one'])
    expect(pages[0].meta.total).toBe(3)
  })
})
