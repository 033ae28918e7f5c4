import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { aRota } from '../../../test/rota-factory.ts'

const t = describeApp()

let admin: TestUser
let ben: TestUser
let cid: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  ben = await buildUser(t, { company: admin, role: 'manager' })
  cid = await buildUser(t, { company: admin, role: 'staff' })
})

const person = ({ id }: TestUser) => ({ userId: id, channels: ['mail'] })
const rota = ({ id }: { id: string }) => ({ rotaId: id, channels: ['mail'] })
async function choose(lists: Record<'recipients' | 'escalation', Record<'late' | 'outOfRange', object[]>>) {
  const { body } = await t.call('GET', '/dispatch/settings', { token: admin.token })
  const { currencyInUse: _, ...kept } = body.payload
  const changed = { ...kept, ...lists, escalateMinutes: 20 }
  expect((await t.call('PUT', '/dispatch/settings', { token: admin.token, body: changed })).status).toBe(200)
}
const ask = (without: string, id: string, by = admin) =>
  t.call('GET', '/dispatch/settings/silenced', { token: by.token, query: { without, id } })
const silenced = async (without: string, id: string, by = admin) =>
  (await ask(without, id, by)).body.payload.map(({ tier, list }: { tier: string; list: string }) => `${tier} ${list}`)

test('names the lists that a rota or a person is the last one to reach, the rotas of a person among them', async () => {
  const [lone, both] = [
    await aRota(t, admin, { people: [ben.id], startsOn: '2026-11-16' }),
    await aRota(t, admin, { people: [ben.id, cid.id], startsOn: '2026-11-16' }),
  ]
  await choose({
    recipients: { late: [rota(lone)], outOfRange: [rota(lone), person(cid)] },
    escalation: { late: [rota(both)], outOfRange: [person(ben), rota(lone)] },
  })
  expect(await silenced('rota', lone.id)).toEqual(['recipients late'])
  expect(await silenced('rota', both.id)).toEqual(['escalation late'])
  expect(await silenced('user', ben.id)).toEqual(['recipients late', 'escalation outOfRange'])
  expect(await silenced('user', cid.id)).toEqual([])
  // It comes true.
  await t.call('DELETE', `/on-call/rotas/${lone.id}`, { token: admin.token })
  const { body } = await t.call('GET', '/dispatch/settings', { token: admin.token })
  expect(body.payload.recipients.late).toEqual([])
  expect(await silenced('user', ben.id)).toEqual(['escalation outOfRange'])
})

test('a list that reaches nobody already is not named, nor one whose other person may still view dispatch', async () => {
  await choose({
    recipients: { late: [person(ben), person(cid)], outOfRange: [person(cid)] },
    escalation: { late: [person(admin)], outOfRange: [] },
  })
  expect(await silenced('user', ben.id)).toEqual([])
  await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
  expect(await silenced('user', ben.id)).toEqual(['recipients late'])
  expect(await silenced('user', cid.id)).toEqual([])
})

test('is for who may view dispatch, tells nothing of another company, and refuses what is no id', async () => {
  const stranger = await buildUser(t)
  await choose({
    recipients: { late: [person(ben)], outOfRange: [] },
    escalation: { late: [person(cid)], outOfRange: [] },
  })
  expect(await silenced('user', ben.id, stranger)).toEqual([])
  expect(await silenced('user', stranger.id)).toEqual([])
  await setMatrix(t, admin.companyId, 'staff', only('alarms.view'))
  expect((await ask('user', ben.id, cid)).status).toBe(403)
  for (const [without, id] of [
    ['device', '1'],
    ['user', 'x'],
    ['rota', ''],
  ] as const)
    expect((await ask(without, id)).status).toBe(422)
})
