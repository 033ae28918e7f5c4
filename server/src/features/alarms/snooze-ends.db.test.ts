import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { dispatch } from '../../pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../../pipeline/notify/lifecycle.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const snoozedAt = 10
const endsAt = 60

/** A device of a company; its alarm escalates after some minutes, and `act` is what people do with its trigger. */
interface Story {
  escalateMinutes: number
  breachAt: number
  act?: { at: number; path: 'acknowledge' | 'resolve' }
  isBackAt?: number
  /** The snooze is set again, to other minutes. */
  resnooze?: { at: number; until: number }
}

const stories: Record<string, Story> = {
  'opened during the snooze': { escalateMinutes: 5, breachAt: 20 },
  'opened during the snooze, just before its end': { escalateMinutes: 30, breachAt: 58 },
  'opened before, its escalation falls into the snooze': { escalateMinutes: 20, breachAt: 5 },
  'opened before, its escalation is due after the snooze': { escalateMinutes: 70, breachAt: 5 },
  'opened before and acknowledged': { escalateMinutes: 20, breachAt: 5, act: { at: 30, path: 'acknowledge' } },
  'opened during it and resolved': { escalateMinutes: 20, breachAt: 20, act: { at: 30, path: 'resolve' } },
  'back to normal before its end': { escalateMinutes: 20, breachAt: 20, isBackAt: 40 },
  'postponed, and the snooze is changed': { escalateMinutes: 20, breachAt: 5, resnooze: { at: 40, until: 300 } },
}

/** The state of the trigger, minute by minute from the end of the snooze on, and the messages by then. */
async function follow(story: Story, how: 'by hand' | 'by time') {
  t.clock.set(new Date('2026-11-20T12:00:00Z'))
  const from = t.clock.now().getTime()
  const admin = await buildUser(t)
  const other = await buildUser(t, { company: admin })
  const device = await aDevice(t, { companyId: admin.companyId, intervalS: 180 })
  const call = (path: string, body: object, method: 'PATCH' | 'POST' = 'PATCH') =>
    t.call(method, path, { token: admin.token, body })
  const by = ({ id }: TestUser) => [{ userId: id, channels: ['mail'] }]
  const made = await call(
    '/alarms',
    {
      ...{ name: 'Too warm', deviceIds: [String(device.id)], recipients: by(admin), escalation: by(other) },
      ...{ escalateMinutes: story.escalateMinutes, reminderMinutes: 25, notifyNormal: true },
      rule: { kind: 'value', temperatureMaxC: 8 },
    },
    'POST',
  )
  const alarmId = made.body.payload.id
  const inMinutes = (minutes: number) => new Date(from + minutes * minute)
  const snooze = (until: number | null) =>
    call(`/alarms/${alarmId}/snooze`, { until: until === null ? null : inMinutes(until).toISOString() })
  const seen: unknown[] = []
  for (let at = 1; at <= 95; at++) {
    t.clock.set(inMinutes(at))
    const isAcross = at >= story.breachAt && at < (story.isBackAt ?? Number.POSITIVE_INFINITY)
    if (at % 2 === 0 || at === story.breachAt || at === story.isBackAt)
      await pipeline.send(device, [{ at: inMinutes(at), temperatureC: isAcross ? 9 : 5 }])
    if (at === snoozedAt) await snooze(how === 'by hand' ? 200 : endsAt)
    if (at === story.resnooze?.at) await snooze(how === 'by hand' ? story.resnooze.until : endsAt)
    if (at === endsAt && how === 'by hand') await snooze(null)
    if (at === story.act?.at) {
      const [trigger] = await t.rows('select id from alarm_triggers where company_id = $1', [admin.companyId])
      await call(`/alarm-triggers/${trigger?.id}/${story.act.path}`, story.act.path === 'resolve' ? { note: 'x' } : {})
    }
    await applyDueSteps(t.pool, t.clock.now())
    await dispatch({
      ...{ pool: t.pool, bus: t.services.bus, log: t.services.log, now: () => t.clock.now() },
      ...{ publicUrl: 'https://cold.test', nearestTownName: () => null },
    })
    if (at < endsAt) continue
    const [trigger] = await t.rows<Record<string, unknown>>(
      `select shelved, escalate_at, remind_at, escalated_at, opened_at, normal_at, acknowledged_at, resolved_at
       from alarm_triggers where company_id = $1`,
      [admin.companyId],
    )
    seen.push(trigger)
  }
  const messages = await t.rows(
    `select event, user_id = $2::int8 as is_first, created_at from deliveries where company_id = $1 order by id`,
    [admin.companyId, admin.id],
  )
  return { seen, messages }
}

test.each(Object.keys(stories))('%s: a snooze ended by hand leaves what one that ends then leaves', async (name) => {
  const story = stories[name] as Story
  const byTime = await follow(story, 'by time')
  expect(await follow(story, 'by hand')).toEqual(byTime)
  expect(byTime.messages.length).toBeGreaterThan(story.act?.path === 'resolve' || story.isBackAt ? -1 : 0)
})

test('after a snooze people have the whole time before it escalates, and one that was not due keeps its time', async () => {
  const escalations = async (name: keyof typeof stories) =>
    (await follow(stories[name] as Story, 'by hand')).messages
      .filter(({ event }) => event === 'escalated')
      .map(({ created_at }) => (created_at.getTime() - Date.parse('2026-11-20T12:00:00Z')) / minute)
  expect(await escalations('opened during the snooze')).toEqual([65])
  expect(await escalations('opened before, its escalation falls into the snooze')).toEqual([80])
  expect(await escalations('opened before, its escalation is due after the snooze')).toEqual([75])
})
