import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { insertComment } from './comment-queries.ts'

const t = describeApp()

const comment = (user: TestUser, id: string, text = 'The door stood open') =>
  t.call('POST', `/alarm-triggers/${id}/comments`, { token: user.token, body: { text } })
const comments = (user: TestUser, id: string) => t.call('GET', `/alarm-triggers/${id}/comments`, { token: user.token })
const trigger = async (user: TestUser, id: string) =>
  (await t.call('GET', `/alarm-triggers/${id}`, { token: user.token })).body.payload

test('a comment has its author and time, stands in order, is counted, and leaves an entry', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const { id } = await aTrigger(t, admin)
  const first = (await comment(admin, id)).body.payload
  expect(first).toMatchObject({ text: 'The door stood open', at: t.clock.now().toISOString() })
  await comment(manager, id, '  Closed it.\nWatching  ')
  expect((await comments(manager, id)).body.payload).toEqual([
    { ...first, by: { id: admin.id, name: admin.fullname } },
    expect.objectContaining({ text: 'Closed it.\nWatching', by: { id: manager.id, name: manager.fullname } }),
  ])
  expect(await trigger(admin, id)).toMatchObject({ comments: 2, canHandle: true })
  const entries = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'alarms.triggerCommented')
  expect(entries).toMatchObject([
    { target: { kind: 'trigger', id }, after: { text: 'The door stood open' } },
    { target: { kind: 'trigger', id } },
  ])
})

test('who was not told reads comments and writes none; nothing empty and nothing too long is taken', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const { id } = await aTrigger(t, admin)
  await comment(admin, id)
  expect((await comments(staff, id)).body.payload).toHaveLength(1)
  expect((await comment(staff, id)).body.code).toBe('NOT_TOLD')
  expect(await trigger(staff, id)).toMatchObject({ canHandle: false })
  expect((await comment(admin, id, ' \n ')).status).toBe(422)
  expect((await comment(admin, id, 'a'.repeat(alarmLimits.noteLength + 1))).status).toBe(422)
  const pending = await aTrigger(t, admin, { isPending: true })
  expect((await comment(admin, pending.id)).body.code).toBe('TRIGGER_PENDING')
})

test('a comment can be written after the trigger was resolved', async () => {
  const admin = await buildUser(t)
  const { id } = await aTrigger(t, admin)
  await t.call('PATCH', `/alarm-triggers/${id}/resolve`, { token: admin.token, body: { note: 'Done' } })
  expect((await comment(admin, id)).status).toBe(200)
})

test('a trigger takes so many comments and no more', async () => {
  const admin = await buildUser(t)
  const { id } = await aTrigger(t, admin)
  await inTenant(t.pool, admin.companyId, async ({ tx }) => {
    const row = { trigger_id: id, text: 'Still on it', at: t.clock.now(), by_id: admin.id, by_name: admin.fullname }
    for (let count = 1; count < alarmLimits.comments; count++)
      await insertComment({ tx, companyId: admin.companyId }, row)
  })
  const answers = [await comment(admin, id), await comment(admin, id)]
  expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 'TRIGGER_FULL'])
})

test('comments on what is private are not there for others, from the moment it is private', async () => {
  const admin = await buildUser(t)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const stranger = await buildUser(t)
  const { id, deviceId } = await aTrigger(t, admin)
  const hidden = await anAlarm(t, admin, { visibility: 'private' })
  const { id: ofHidden } = await aTrigger(t, admin, { alarmId: hidden.id })
  await comment(manager, id)
  await t.change(admin.companyId, `update devices set visibility = 'private' where company_id = $1 and id = $2`, [
    admin.companyId,
    deviceId,
  ])
  for (const [user, each] of [
    [manager, id],
    [manager, ofHidden],
    [stranger, id],
  ] as const) {
    expect((await comments(user, each)).status).toBe(404)
    expect((await comment(user, each)).status).toBe(404)
  }
  expect((await comments(admin, id)).body.payload).toHaveLength(1)
})

test('browsers hear of a comment, as of any other change of the trigger', async () => {
  const admin = await buildUser(t)
  const { id, deviceId } = await aTrigger(t, admin)
  const heard: unknown[] = []
  const stop = t.services.bus.subscribe(admin.companyId, (event) => heard.push(event))
  await comment(admin, id)
  stop()
  expect(heard).toMatchObject([{ kind: 'trigger', deviceId, alarmIsPrivate: false, data: { id, state: 'open' } }])
})
