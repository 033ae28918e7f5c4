import { beforeAll, describe, expect, test } from 'vitest'
import { aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

// ISA-18.2's states as far as people make them, a row per state and act. Pending and open follow from the values
// (domain/alarm-states.test.ts); an open one is unacknowledged alarm (B), acknowledged alarm (C), returned to normal unacknowledged (D),
// shelved (G) or, by us, resolved with a note.

let admin: TestUser
const t = describeApp()
beforeAll(async () => {
  admin = await buildUser(t)
})

type Act = 'acknowledge' | 'resolve' | 'return' | 'snooze' | 'unsnooze'
type Trigger = { id: string; alarmId: string }

const write = (path: string, body: object) => t.call('PATCH', path, { token: admin.token, body })
const acts: Record<Act, (trigger: Trigger) => Promise<unknown>> = {
  acknowledge: ({ id }) => write(`/alarm-triggers/${id}/acknowledge`, {}),
  resolve: ({ id }) => write(`/alarm-triggers/${id}/resolve`, { note: 'Door was open' }),
  snooze: ({ alarmId }) =>
    write(`/alarms/${alarmId}/snooze`, { until: new Date(t.clock.now().getTime() + 3_600_000).toISOString() }),
  unsnooze: ({ alarmId }) => write(`/alarms/${alarmId}/snooze`, { until: null }),
  // As the pipeline writes it when the value is back inside.
  return: ({ id }) =>
    asPipeline(t.pool, ({ tx }) =>
      tx
        .updateTable('alarm_triggers')
        .set({ normal_at: t.clock.now() })
        .where('id', '=', id)
        .where('normal_at', 'is', null)
        .execute(),
    ),
}

const seen = async ({ id }: Trigger) => {
  const { state, acknowledgedAt, normalAt, resolvedAt, isShelved } = (
    await t.call('GET', `/alarm-triggers/${id}`, { token: admin.token })
  ).body.payload
  const marks = [acknowledgedAt && 'known', normalAt && 'normal', resolvedAt && 'resolved', isShelved && 'shelved']
  return `${state}: ${marks.filter(Boolean).join(' ')}`.replace(/: $/, '')
}

describe('each state and what can be done in it', () => {
  test.each<[Act[], Act, string, changes: boolean]>([
    [[], 'acknowledge', 'acknowledged: known', true],
    [[], 'resolve', 'resolved: known resolved', true],
    [[], 'return', 'normal: normal', false],
    [['acknowledge'], 'acknowledge', 'acknowledged: known', false],
    [['acknowledge'], 'return', 'normal: known normal', false],
    [['acknowledge'], 'resolve', 'resolved: known resolved', true],
    [['return'], 'acknowledge', 'normal: known normal', true],
    [['return'], 'resolve', 'resolved: known normal resolved', true],
    [['acknowledge', 'return'], 'acknowledge', 'normal: known normal', false],
    [['acknowledge', 'return'], 'resolve', 'resolved: known normal resolved', true],
    // Nothing leads out of resolved; that it is back to normal later is still recorded.
    [['resolve'], 'acknowledge', 'resolved: known resolved', false],
    [['resolve'], 'resolve', 'resolved: known resolved', false],
    [['resolve'], 'return', 'resolved: known normal resolved', false],
    // A snooze changes who is told, not the state.
    [[], 'snooze', 'open', true],
    [['snooze'], 'acknowledge', 'acknowledged: known', true],
    [['snooze'], 'resolve', 'resolved: known resolved', true],
    [['snooze', 'return'], 'unsnooze', 'normal: normal', true],
    [['acknowledge', 'snooze'], 'unsnooze', 'acknowledged: known', true],
  ])('%j, then %s: %s', async (before, act, after, changes) => {
    const trigger = await aTrigger(t, admin)
    for (const each of before) await acts[each](trigger)
    const entries = (await trailOf(t, admin.companyId)).length
    await acts[act](trigger)
    expect(await seen(trigger)).toBe(after)
    expect((await trailOf(t, admin.companyId)).length - entries).toBe(changes ? 1 : 0)
  })

  test.each(['acknowledge', 'resolve'] as const)('pending, then %s: refused, it has not opened', async (act) => {
    const trigger = await aTrigger(t, admin, { isPending: true })
    expect(await acts[act](trigger)).toMatchObject({ status: 400, body: { code: 'TRIGGER_PENDING' } })
    expect(await seen(trigger)).toBe('pending')
  })

  test.each<[Act, string]>([
    ['acknowledge', 'acknowledged: known'],
    ['resolve', 'resolved: known resolved'],
    ['unsnooze', 'open'],
  ])('shelved as it opened, then %s: it is not shelved any more (%s)', async (act, after) => {
    const trigger = await aTrigger(t, admin, { isShelved: true })
    await acts.snooze(trigger)
    expect(await seen(trigger)).toBe('open: shelved')
    await acts[act](trigger)
    expect(await seen(trigger)).toBe(after)
  })
})

test('two who acknowledge and one who resolves at once leave one name each, and an entry for what changed', async () => {
  const other = await buildUser(t, { company: admin })
  const trigger = await aTrigger(t, admin)
  const entries = (await trailOf(t, admin.companyId)).length
  const by = (user: TestUser, action: string, body: object = {}) =>
    t.call('PATCH', `/alarm-triggers/${trigger.id}/${action}`, { token: user.token, body })
  await Promise.all([by(admin, 'acknowledge'), by(other, 'acknowledge'), by(other, 'resolve', { note: 'x' })])
  expect(await seen(trigger)).toBe('resolved: known resolved')
  const made = (await trailOf(t, admin.companyId)).slice(entries).map(({ action }) => action)
  expect(made.filter((action) => action === 'alarms.triggerResolved')).toHaveLength(1)
  expect(made.filter((action) => action === 'alarms.triggerAcknowledged').length).toBeLessThanOrEqual(1)
})
