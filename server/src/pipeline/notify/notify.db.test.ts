import { describe, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { lockWaits } from '../../../test/lock-waits.ts'
import { notifyStage, start } from '../../../test/notify-scene.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { endSnoozes } from '../../core/alarms/trigger-sql.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { smsSegments } from '../../platform/messaging/sms-segments.ts'
import type { OutboundMessage } from './deliver.ts'
import { applyDueSteps } from './lifecycle.ts'
import { chatText, smsText, textsOf } from './messages.ts'

const pipeline = describeIngest()

const { sent, rounds, scene, breach, grant, deliveries } = notifyStage(() => pipeline)

describe('a trigger', () => {
  test('reaches each person once by each of their channels, in words with value, limit, place and time', async () => {
    const { companyId, device } = await scene([{ channels: ['app', 'mail', 'sms'] }, { channels: ['app'] }])
    await grant(companyId, 10)
    await pipeline.post(device, { at: start, temperatureC: 9, lat: 6.45, lon: 3.39 })
    await rounds()
    await rounds()
    expect(sent.map(({ channel }) => channel).sort()).toEqual(['mail', 'sms'])
    const mail = sent.find(({ channel }) => channel === 'mail')
    expect(mail && textsOf(mail.payload, 'fr').details).toContain('Près de Lagos')
    const [message] = sent
    const text = message && smsText(message.payload, 'en', 'https://cold.test')
    expect(text).toContain('CRITICAL: Fridge (Lagos): temperature 9.0 C, above 8.0 C, since')
    expect(text).toMatch(/since \d+ \w+ \d{4}, \d\d:\d\d GMT\+1/)
    expect(text).toContain('https://cold.test/alarms/triggered-alarms?trigger=')
    expect(smsSegments(text ?? '')).toBe(1)
    const lines = await pipeline.rows('select user_id from notifications where company_id = $1', [companyId])
    expect(lines).toHaveLength(2)
    expect((await deliveries(companyId)).every(({ state }) => state === 'accepted')).toBe(true)
  })
  test('that is back to normal is told to all who heard of it', async () => {
    const { device } = await scene([{ channels: ['mail'] }])
    await breach(device)
    await rounds()
    pipeline.clock.advance(180_000)
    await breach(device, 5)
    await rounds()
    expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['opened', 'normal'])
  })
  test('of a private alarm is told to Admins only', async () => {
    const { device } = await scene([{ channels: ['mail'] }, { channels: ['mail'], role: 'admin' }], {
      more: `visibility = 'private'`,
    })
    await breach(device)
    await rounds()
    expect(sent).toHaveLength(1)
  })
  test('and another of the same device within a minute are one message', async () => {
    const { companyId, device } = await scene([{ channels: ['mail'] }])
    await breach(device)
    await rounds()
    pipeline.clock.advance(20_000)
    await breach(device, 5)
    pipeline.clock.advance(20_000)
    await breach(device, 9)
    await rounds()
    expect(sent.filter(({ payload }) => payload.alerts[0]?.event === 'opened')).toHaveLength(1)
    const told = await pipeline.rows('select * from delivery_triggers where company_id = $1', [companyId])
    expect(told).toHaveLength(3)
  })
})

test('what opens again after they heard that it is over is told, though a minute has not passed', async () => {
  const { device } = await scene([{ channels: ['mail'] }])
  for (const temperatureC of [9, 5, 9]) {
    await breach(device, temperatureC)
    await rounds()
    pipeline.clock.advance(20_000)
  }
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['opened', 'normal', 'opened'])
})

test('quiet hours hold what is no emergency until they end, and forget what is over by then', async () => {
  const quiet: [string, string] = ['12:30', '14:00']
  const { companyId, devices } = await scene([{ channels: ['mail'], quiet }], {
    devices: 2,
    severity: 'warning',
    more: 'notify_normal = false',
  })
  for (const device of devices) await breach(device)
  await rounds()
  expect(sent).toEqual([])
  expect((await deliveries(companyId)).map(({ state, reason }) => [state, reason])).toEqual([
    ['held', 'quietHours'],
    ['held', 'quietHours'],
  ])
  pipeline.clock.advance(180_000)
  await breach(devices[0] as TestDevice, 8.7)
  await breach(devices[1] as TestDevice, 5)
  pipeline.clock.set('2026-11-20T13:00:30Z')
  await rounds()
  expect(sent).toHaveLength(1)
  // The values are those of now, not those of when the message was made.
  expect(sent[0]?.payload.alerts).toMatchObject([{ latest: 8.7 }])
  expect((await deliveries(companyId)).map(({ state }) => state).sort()).toEqual(['accepted', 'skipped'])
  const critical = await scene([{ channels: ['mail'], quiet }])
  await breach(critical.device)
  await rounds()
  expect(sent).toHaveLength(1)
})

test('who was told before quiet hours hears after them that it is over, or never was; who was not hears nothing', async () => {
  const { companyId, devices } = await scene([{ channels: ['mail'], quiet: ['13:05', '15:00'] }], {
    devices: 2,
    severity: 'warning',
  })
  const [told, untold] = devices as [TestDevice, TestDevice]
  await breach(told)
  await rounds()
  pipeline.clock.set('2026-11-20T12:10:00Z')
  await breach(told, 5)
  await breach(untold)
  await rounds()
  pipeline.clock.set('2026-11-20T12:13:00Z')
  await breach(untold, 5)
  await rounds()
  expect(sent).toHaveLength(1)
  pipeline.clock.set('2026-11-20T14:00:30Z')
  await rounds()
  expect(sent.map(({ payload }) => [payload.deviceId, payload.alerts[0]?.event])).toEqual([
    [told.id, 'opened'],
    [told.id, 'normal'],
  ])
  expect((await deliveries(companyId)).map(({ event, state }) => `${event} ${state}`).sort()).toEqual([
    'normal accepted',
    'normal skipped',
    'opened accepted',
    'opened skipped',
  ])
})

test('reminders of a night of quiet hours are one message in the morning', async () => {
  const { companyId, device } = await scene([{ channels: ['sms'], quiet: ['12:30', '20:00'] }], {
    severity: 'warning',
    more: 'reminder_minutes = 30',
  })
  await grant(companyId, 50)
  await breach(device)
  await rounds()
  for (let half = 1; half <= 13; half++) {
    pipeline.clock.advance(30 * 60_000)
    await rounds()
  }
  expect(sent).toEqual([])
  pipeline.clock.set('2026-11-20T19:00:30Z')
  await rounds()
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['opened'])
})

test('a storm of devices becomes one message that says how many', async () => {
  const { companyId, devices } = await scene([{ channels: ['mail'] }], { devices: 30 })
  await Promise.all(devices.map((device) => breach(device)))
  await rounds()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.payload).toMatchObject({ more: 25 })
  expect(await pipeline.rows('select * from delivery_triggers where company_id = $1', [companyId])).toHaveLength(30)
})

test('the place is in a chat message, and in an SMS where it costs no segment more', async () => {
  const { device } = await scene([{ channels: ['mail'] }])
  await pipeline.post(device, { at: start, temperatureC: 9, lat: 6.45, lon: 3.39 })
  await rounds()
  const payload = sent[0]?.payload as OutboundMessage['payload']
  const link = '?trigger='
  for (const length of [10, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 120]) {
    const url = `https://cold.test/${'x'.repeat(length)}`
    const bare = smsText({ ...payload, alerts: payload.alerts.map((one) => ({ ...one, place: null })) }, 'en', url)
    expect(smsSegments(smsText(payload, 'en', url))).toBe(smsSegments(bare))
    expect(chatText(payload, 'en', url)).toContain('Fridge (Lagos): ')
    expect(smsText(payload, 'en', url)).toContain(link)
  }
  expect(smsText(payload, 'en', 'https://cold.test')).toContain('(Lagos)')
})

test('nobody acknowledges: reminders to the first, escalation to the others, until somebody does', async () => {
  const people = [{ channels: ['mail'] }, { channels: ['mail'], tier: 2 }]
  const { companyId, device } = await scene(people, { more: 'reminder_minutes = 10, escalate_minutes = 5' })
  await breach(device)
  await rounds()
  for (const minutes of [6, 5, 10]) {
    pipeline.clock.advance(minutes * 60_000)
    await rounds()
  }
  const events = () => sent.map(({ payload }) => payload.alerts[0]?.event)
  expect(events()).toEqual(['opened', 'escalated', 'reminder', 'reminder', 'reminder', 'reminder'])
  await pipeline.change(companyId, 'update alarm_triggers set acknowledged_at = now() where company_id = $1', [
    companyId,
  ])
  pipeline.clock.advance(600_000)
  await rounds()
  expect(events()).toHaveLength(6)
})

test('a test goes by the real channels, says that it is one, costs its units once, and is no trigger', async () => {
  const { companyId } = await scene([{ channels: ['app', 'mail', 'sms'], quiet: ['00:00', '23:59'] }], {
    severity: 'warning',
    more: `name = 'Night watch'`,
  })
  await grant(companyId, 10)
  await pipeline.change(
    companyId,
    `insert into alarm_events (company_id, kind, alarm_id, at) select company_id, 'test', id, $2 from alarms where company_id = $1`,
    [companyId, start],
  )
  for (let again = 0; again < 3; again++) await rounds()
  expect(sent.map(({ channel }) => channel).sort()).toEqual(['mail', 'sms'])
  for (const { payload } of sent)
    expect(textsOf(payload, 'en')).toMatchObject({
      subject: 'TEST: Night watch',
      line: expect.stringMatching(/^TEST.*Night watch/),
    })
  const [sms] = (await deliveries(companyId)).filter(({ channel }) => channel === 'sms')
  const [wallet] = await pipeline.rows(`select balance, reserved from wallets where company_id = $1 and kind = 'sms'`, [
    companyId,
  ])
  expect([wallet, sms?.units]).toEqual([{ balance: 9, reserved: 0 }, 1])
  const lines = await pipeline.rows('select kind, severity from notifications where company_id = $1', [companyId])
  expect(lines).toEqual([{ kind: 'alarmTest', severity: 'info' }])
  expect(await pipeline.rows('select from alarm_triggers where company_id = $1', [companyId])).toEqual([])
})

test('what opened during a snooze and lasts is told when it ends, once', async () => {
  const { device } = await scene([{ channels: ['mail'] }], { more: `snoozed_until = '2026-11-20T13:00:00Z'` })
  await breach(device)
  await rounds()
  expect(sent).toEqual([])
  pipeline.clock.set('2026-11-20T13:00:01Z')
  await Promise.all([
    applyDueSteps(pipeline.pool, pipeline.clock.now()),
    applyDueSteps(pipeline.pool, pipeline.clock.now()),
  ])
  await rounds()
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['unsnoozed'])
})

test('what opens in a lane while a snooze ends is told, once', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'] }], {
    more: `snoozed_until = '2026-11-20T13:00:00Z'`,
  })
  const rows = await pipeline.rows<{ id: string }>('select id from alarms where company_id = $1', [companyId])
  const sending = await inTenant(pipeline.pool, companyId, async ({ tx }) => {
    await endSnoozes(
      tx,
      companyId,
      rows.map(({ id }) => id),
      pipeline.clock.now(),
    )
    const under = breach(device)
    await Promise.race([under, lockWaits(pipeline.pool)])
    return { under }
  })
  await sending.under
  await rounds()
  expect(await pipeline.rows('select shelved from alarm_triggers where company_id = $1', [companyId])).toEqual([
    { shelved: false },
  ])
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['opened'])
})

test('an escalation that would have fallen into a snooze comes after it, while nobody acknowledges', async () => {
  const people = [{ channels: ['mail'] }, { channels: ['mail'], tier: 2 }]
  for (const isShelved of [true, false]) {
    const { companyId, device } = await scene(people, { more: 'escalate_minutes = 5' })
    const snooze = () =>
      pipeline.change(companyId, `update alarms set snoozed_until = '2026-11-20T13:00:00Z' where company_id = $1`, [
        companyId,
      ])
    if (isShelved) await snooze()
    await breach(device)
    await rounds()
    if (!isShelved) await snooze()
    pipeline.clock.set('2026-11-20T12:30:00Z')
    await rounds()
    pipeline.clock.set('2026-11-20T13:00:01Z')
    await rounds()
    const events = () => sent.map(({ payload }) => payload.alerts[0]?.event)
    expect(events()).toEqual([isShelved ? 'unsnoozed' : 'opened'])
    pipeline.clock.set('2026-11-20T13:05:02Z')
    await rounds()
    expect(events().at(-1)).toBe('escalated')
  }
})

test('what late data takes back is told once to those who heard of it, and not where nobody had', async () => {
  for (const more of ['', `snoozed_until = '2026-11-20T20:00:00Z'`]) {
    const { device } = await scene([{ channels: ['app', 'mail'] }, { channels: ['mail'], tier: 2 }], {
      more: more || `rule = jsonb_set(rule, '{delayMinutes}', '5')`,
    })
    if (more)
      await pipeline.change(
        device.companyId,
        `update alarms set rule = jsonb_set(rule, '{delayMinutes}', '5') where company_id = $1`,
        [device.companyId],
      )
    const from = pipeline.clock.now().getTime()
    await breach(device, 9, new Date(from))
    pipeline.clock.advance(360_000)
    await breach(device, 9, new Date(from + 360_000))
    await rounds()
    const before = sent.length
    await breach(device, 7, new Date(from + 120_000))
    await rounds()
    await rounds()
    expect(sent.slice(before).map(({ payload }) => payload.alerts[0]?.event)).toEqual(more ? [] : ['withdrawn'])
    const lines = await pipeline.rows<{ kind: string }>(
      'select kind from notifications where company_id = $1 order by id',
      [device.companyId],
    )
    expect(lines.map(({ kind }) => kind)).toEqual(more ? [] : ['alarmOpened', 'alarmWithdrawn'])
    if (!more) expect(textsOf(sent.at(-1)?.payload as OutboundMessage['payload'], 'en').line).toContain('never was')
  }
})
