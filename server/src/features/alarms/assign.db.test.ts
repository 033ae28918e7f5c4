import { expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { notifyRounds } from '../../../test/private-scene.ts'
import { trailOf } from '../../../test/trail.ts'
import { textsOf } from '../../pipeline/notify/messages.ts'

const t = describeApp()

const put = (user: TestUser, path: string, body: object) => t.call('PUT', path, { token: user.token, body })
const assign = (user: TestUser, id: string, userId: string | null) =>
  put(user, `/alarm-triggers/${id}/assignee`, { userId })
const trigger = async (user: TestUser, id: string) =>
  (await t.call('GET', `/alarm-triggers/${id}`, { token: user.token })).body.payload
const assignee = async (user: TestUser, id: string) => (await trigger(user, id)).assignee
const list = async (user: TestUser, query: Record<string, string> = {}) =>
  (await t.call('GET', '/alarm-triggers', { token: user.token, query })).body.payload
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const candidates = async (user: TestUser, query: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await t.call('GET', '/alarm-triggers/assignees', { token: user.token, query })
  return body.payload.map(({ id }: { id: string }) => id)
}
const acknowledge = (user: TestUser, id: string) =>
  t.call('PATCH', `/alarm-triggers/${id}/acknowledge`, { token: user.token, body: {} })
const person = ({ id, fullname }: TestUser) => ({ id, name: fullname })

async function team() {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  return { admin, manager, staff }
}

test('one takes it, gives it to another, gives it up; each is in the trail', async () => {
  const { admin, manager } = await team()
  const { id } = await aTrigger(t, admin)
  expect(await assignee(admin, id)).toBeNull()
  await assign(admin, id, admin.id)
  expect(await trigger(manager, id)).toMatchObject({
    assignee: person(admin),
    assignedBy: person(admin),
    assignedAt: t.clock.now().toISOString(),
  })
  await assign(admin, id, manager.id)
  await assign(admin, id, manager.id)
  expect(await assignee(admin, id)).toEqual(person(manager))
  await assign(manager, id, null)
  expect(await assignee(admin, id)).toBeNull()
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'alarms.triggerAssigned')
  expect(entries.map(({ before, after }) => [before?.assignee, after?.assignee])).toEqual([
    [null, admin.fullname],
    [admin.fullname, manager.fullname],
    [manager.fullname, null],
  ])
})

test('who acknowledges looks after what nobody does, and takes nothing from anybody', async () => {
  const { admin, manager } = await team()
  const [free, taken] = [await aTrigger(t, admin), await aTrigger(t, admin)]
  await assign(admin, taken.id, admin.id)
  await acknowledge(manager, free.id)
  await acknowledge(manager, taken.id)
  expect([await assignee(admin, free.id), await assignee(admin, taken.id)]).toEqual([person(manager), person(admin)])
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'alarms.triggerAcknowledged')
  expect(entries.map(({ after }) => after?.assignee ?? null)).toEqual([manager.fullname, null])
})

test('only who may handle it says who does, and only who sees it and may handle it can be named', async () => {
  const { admin, manager, staff } = await team()
  const told = await buildUser(t, { company: admin, role: 'staff' })
  const stranger = await buildUser(t)
  const alarm = await anAlarm(t, admin, { userIds: [told.id] })
  const { id } = await aTrigger(t, admin, { alarmId: alarm.id })
  expect(await candidates(admin, { trigger: id })).toEqual([admin.id, manager.id])
  await notifyRounds(t, [])
  expect((await candidates(admin, { trigger: id })).sort()).toEqual([admin.id, manager.id, told.id].sort())
  expect(await candidates(told, { trigger: id, search: told.fullname })).toEqual([told.id])
  expect(await candidates(staff, { trigger: id })).toEqual([])
  expect((await candidates(manager)).sort()).toEqual([admin.id, manager.id].sort())
  expect(await candidates(told)).toEqual([])
  expect((await assign(staff, id, staff.id)).body.code).toBe('NOT_TOLD')
  for (const other of [staff, stranger]) expect((await assign(admin, id, other.id)).status).toBe(422)
  expect((await assign(stranger, id, stranger.id)).status).toBe(404)
  expect((await assign(told, id, told.id)).status).toBe(200)
})

test('a private device’s alarm is for Admins: others are not named, not shown, and not found', async () => {
  const { admin, manager } = await team()
  const { id, deviceId } = await aTrigger(t, admin)
  await assign(admin, id, manager.id)
  await t.change(admin.companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    admin.companyId,
    deviceId,
  ])
  expect(await assignee(admin, id)).toBeNull()
  expect(await candidates(admin, { trigger: id })).toEqual([admin.id])
  expect((await assign(admin, id, manager.id)).status).toBe(422)
  expect((await assign(manager, id, manager.id)).status).toBe(404)
  expect(await candidates(manager, { trigger: id })).toEqual([])
  expect(await list(manager, { assignee: 'me' })).toMatchObject({ data: [], assigned: { me: 0, nobody: 0 } })
  await acknowledge(admin, id)
  expect(await assignee(admin, id)).toEqual(person(admin))
})

test('who was removed, or may not see alarms any more, looks after nothing', async () => {
  const { admin, manager, staff } = await team()
  const [one, other] = [await aTrigger(t, admin), await aTrigger(t, admin)]
  await setMatrix(t, admin.companyId, 'staff', only('alarms.view', 'alarms.addOrEdit', 'devices.view'))
  await assign(admin, one.id, manager.id)
  await assign(admin, other.id, staff.id)
  expect(await assignee(admin, other.id)).toEqual(person(staff))
  await t.call('DELETE', `/users/${manager.id}`, { token: admin.token })
  await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
  expect([await assignee(admin, one.id), await assignee(admin, other.id)]).toEqual([null, null])
  expect(idsOf(await list(admin, { assignee: 'nobody' })).sort()).toEqual([one.id, other.id].sort())
})

test('the list finds what is mine and what is nobody’s, and counts both whatever is chosen', async () => {
  const { admin, manager } = await team()
  const [mine, theirs, free] = [await aTrigger(t, admin), await aTrigger(t, admin), await aTrigger(t, admin)]
  const over = await aTrigger(t, admin, { normalAgo: 2 })
  await assign(admin, mine.id, admin.id)
  await assign(admin, theirs.id, manager.id)
  await assign(admin, over.id, admin.id)
  const open = { states: 'open,acknowledged' }
  expect(await list(admin, open)).toMatchObject({ assigned: { me: 1, nobody: 1 }, meta: { total: 3 } })
  const own = await list(admin, { ...open, assignee: 'me' })
  expect(own).toMatchObject({ assigned: { me: 1, nobody: 1 }, counts: { open: 1, normal: 1 }, meta: { total: 1 } })
  expect(idsOf(own)).toEqual([mine.id])
  expect(idsOf(await list(admin, { ...open, assignee: 'nobody' }))).toEqual([free.id])
  expect(idsOf(await list(manager, { ...open, assignee: 'me' }))).toEqual([theirs.id])
})

test('several are given at once, as far as they can be', async () => {
  const { admin, manager } = await team()
  const { id } = await aTrigger(t, admin)
  const pending = await aTrigger(t, admin, { isPending: true })
  const resolved = await aTrigger(t, admin)
  await t.call('PATCH', `/alarm-triggers/${resolved.id}/resolve`, { token: admin.token, body: { note: 'Done' } })
  const hidden = await anAlarm(t, admin, { visibility: 'private' })
  const secret = await aTrigger(t, admin, { alarmId: hidden.id })
  const others = [pending.id, resolved.id, secret.id]
  const { body } = await put(admin, '/alarm-triggers/assignee', { ids: [id, ...others], userId: manager.id })
  expect(body.payload).toEqual({ changed: [id], unchanged: others })
})

test('who is given an alarm is told in the app and by mail; who takes one is not', async () => {
  const { admin, manager } = await team()
  const { id } = await aTrigger(t, admin)
  await notifyRounds(t, [])
  await assign(manager, id, manager.id)
  const sent: Parameters<typeof notifyRounds>[1] = []
  await notifyRounds(t, sent)
  expect(sent).toEqual([])
  await assign(admin, id, null)
  await assign(admin, id, manager.id)
  await notifyRounds(t, sent)
  expect(sent).toMatchObject([{ channel: 'mail', address: manager.email, event: 'assigned' }])
  expect(sent[0] && textsOf(sent[0].payload, 'en').subject).toMatch(/^Assigned to you, Warning: Fridge/)
  const { body } = await t.call('GET', '/enterprise/notifications', { token: manager.token })
  expect(body.payload.data).toMatchObject([{ kind: 'alarmAssigned', triggerId: id }])
  expect((await trigger(admin, id)).told).toMatchObject([
    { channel: 'app', to: manager.fullname, event: 'assigned' },
    { channel: 'mail', to: manager.fullname, event: 'assigned' },
  ])
})

test('the mail is left out where the alarm’s lists have the person without it; nobody else hears of it', async () => {
  const { admin, manager } = await team()
  const recipients = [
    { userId: manager.id, channels: ['app' as const] },
    { userId: admin.id, channels: ['mail' as const] },
  ]
  const alarm = await anAlarm(t, admin, { recipients })
  const { id } = await aTrigger(t, admin, { alarmId: alarm.id })
  await notifyRounds(t, [])
  const sent: Parameters<typeof notifyRounds>[1] = []
  await assign(admin, id, manager.id)
  await notifyRounds(t, sent)
  expect(sent).toEqual([])
  expect((await trigger(admin, id)).told.filter(({ event }: { event: string }) => event === 'assigned')).toMatchObject([
    { channel: 'app', to: manager.fullname },
  ])
})

test('what became private meanwhile is not told', async () => {
  const { admin, manager } = await team()
  const { id, deviceId } = await aTrigger(t, admin)
  await notifyRounds(t, [])
  await assign(admin, id, manager.id)
  await t.change(admin.companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    admin.companyId,
    deviceId,
  ])
  const sent: Parameters<typeof notifyRounds>[1] = []
  await notifyRounds(t, sent)
  expect(sent).toEqual([])
  const { body } = await t.call('GET', '/enterprise/notifications', { token: manager.token })
  expect(body.payload.data).toEqual([])
})
