import { randomBytes } from 'node:crypto'
import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestRoad, type TestDevice, type TestRoad } from '../../../test/road-harness.ts'
import { createLog } from '../../platform/log/log.ts'
import { keyed } from '../../platform/messaging/providers/ask.ts'
import { smsSegments } from '../../platform/messaging/sms-segments.ts'
import { Aside } from './aside.ts'
import { type Delivery, deliver, type Sent } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { passTime } from './lifecycle.ts'
import { chatText, smsText, textsOf } from './messages.ts'
import { Notifier } from './notifier.ts'

let road: TestRoad
beforeAll(async () => {
  road = await startTestRoad()
})
afterAll(() => road.close())

const patient = { timeout: 15_000 }
const start = '2026-11-20T12:00:00Z'
const sent: Delivery[] = []
let answer: (delivery: Delivery) => Promise<Sent> = async () => ({ ok: true, provider: 'test', providerId: null })
const sender = {
  send: (delivery: Delivery) => {
    sent.push(delivery)
    return answer(delivery)
  },
}
const tools = () => ({
  pool: road.pool,
  bus: road.bus,
  now: () => road.clock.now(),
  placeNameAt: () => 'Lagos',
  publicUrl: 'https://cold.test',
  log: createLog('silent'),
  senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
})
async function rounds() {
  await passTime(road.pool, road.clock.now())
  while ((await dispatch(tools())) > 0);
  while ((await deliver(tools())) > 0);
}

interface Person {
  channels: string[]
  role?: string
  quiet?: [string, string]
  phone?: string | null
  tier?: number
}

/** A company whose alarm tells these people. */
async function scene(people: Person[], { devices = 1, severity = 'critical', more = '' } = {}) {
  road.clock.set(start)
  sent.length = 0
  answer = async () => ({ ok: true, provider: 'test', providerId: null })
  const companyId = await road.company()
  const list: TestDevice[] = []
  for (let i = 0; i < devices; i++) list.push(await road.device({ companyId }))
  const rule = AlarmRule.parse({ kind: 'value', temperatureMaxC: 8 })
  await road.change(
    companyId,
    `insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, notify_normal, created_at, updated_at)
     values ($1, 'Too warm', 'value', $2, 'public', $3, '2020-01-01', true, now(), now())`,
    [companyId, severity, JSON.stringify(rule)],
  )
  if (more) await road.change(companyId, `update alarms set ${more} where company_id = $1`, [companyId])
  await road.change(
    companyId,
    `insert into alarm_targets (company_id, alarm_id, device_id) select a.company_id, a.id, d.id from alarms a join devices d using (company_id) where company_id = $1`,
    [companyId],
  )
  for (const [place, { channels, role = 'staff', quiet, phone = '+2348000000000', tier = 1 }] of people.entries()) {
    await road.change(
      companyId,
      `with u as (insert into users (company_id, fullname, email, role, timezone, locale, status, phone)
         values ($1, $2, $3, $4, 'Africa/Lagos', 'en', 'active', $5) returning id),
       s as (insert into notification_settings (company_id, user_id, quiet_from, quiet_to, updated_at)
         select $1, id, $7, $8, now() from u)
       insert into alarm_recipients (company_id, alarm_id, tier, user_id, channels)
       select $1, a.id, $9, u.id, $6 from u, alarms a where a.company_id = $1`,
      [
        companyId,
        `Person ${place}`,
        `p${place}.${companyId}@example.test`,
        role,
        phone,
        channels,
        quiet?.[0] ?? null,
        quiet?.[1] ?? null,
        tier,
      ],
    )
  }
  return { companyId, devices: list, device: list[0] as TestDevice }
}
const breach = (device: TestDevice, temperatureC = 9, at = road.clock.now()) =>
  road.post(device, { at: at.toISOString(), temperatureC })
const grant = (companyId: number, units: number) =>
  road.change(companyId, `insert into wallets (company_id, kind, balance) values ($1, 'sms', $2)`, [companyId, units])
const deliveries = (companyId: number) =>
  road.rows<{
    channel: string
    state: string
    reason: string | null
    units: number
    event: string
    payload: { more: number }
  }>('select * from deliveries where company_id = $1 order by id', [companyId])

describe('a trigger', () => {
  test('reaches each person once by each of their channels, in words with value, limit, place and time', async () => {
    const { companyId, device } = await scene([{ channels: ['app', 'mail', 'sms'] }, { channels: ['app'] }])
    await grant(companyId, 10)
    await road.post(device, { at: start, temperatureC: 9, lat: 6.45, lon: 3.39 })
    await rounds()
    await rounds()
    expect(sent.map(({ channel }) => channel).sort()).toEqual(['mail', 'sms'])
    const mail = sent.find(({ channel }) => channel === 'mail')
    expect(mail && textsOf(mail.payload, 'fr').details).toContain('Près de Lagos')
    const [message] = sent
    const text = message && smsText(message.payload, 'en', 'https://cold.test')
    expect(text).toContain('CRITICAL: Fridge (Lagos): temperature 9.0 C, above 8.0 C, since')
    expect(text).toContain('(Africa/Lagos)')
    expect(text).toContain('https://cold.test/alarms/triggered-alarms?trigger=')
    expect(smsSegments(text ?? '')).toBe(1)
    const lines = await road.rows('select user_id from notifications where company_id = $1', [companyId])
    expect(lines).toHaveLength(2)
    expect((await deliveries(companyId)).every(({ state }) => state === 'accepted')).toBe(true)
  })
  test('that is back to normal is told to all who heard of it', async () => {
    const { device } = await scene([{ channels: ['mail'] }])
    await breach(device)
    await rounds()
    road.clock.advance(180_000)
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
    road.clock.advance(20_000)
    await breach(device, 5)
    road.clock.advance(20_000)
    await breach(device, 9)
    await rounds()
    expect(sent.filter(({ payload }) => payload.alerts[0]?.event === 'opened')).toHaveLength(1)
    const told = await road.rows('select * from delivery_triggers where company_id = $1', [companyId])
    expect(told).toHaveLength(3)
  })
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
  road.clock.advance(180_000)
  await breach(devices[1] as TestDevice, 5)
  road.clock.set('2026-11-20T13:00:30Z')
  await rounds()
  expect(sent).toHaveLength(1)
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
  road.clock.set('2026-11-20T12:10:00Z')
  await breach(told, 5)
  await breach(untold)
  await rounds()
  road.clock.set('2026-11-20T12:13:00Z')
  await breach(untold, 5)
  await rounds()
  expect(sent).toHaveLength(1)
  road.clock.set('2026-11-20T14:00:30Z')
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
    road.clock.advance(30 * 60_000)
    await rounds()
  }
  expect(sent).toEqual([])
  road.clock.set('2026-11-20T19:00:30Z')
  await rounds()
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['opened'])
})

test('a storm of devices becomes one message that says how many', async () => {
  const { companyId, devices } = await scene([{ channels: ['mail'] }], { devices: 30 })
  await Promise.all(devices.map((device) => breach(device)))
  await rounds()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.payload).toMatchObject({ more: 25 })
  expect(await road.rows('select * from delivery_triggers where company_id = $1', [companyId])).toHaveLength(30)
})

describe('the wallet', () => {
  test('pays for what is sent, gets back what definitely failed, and is never below zero', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms', 'mail'] }], { devices: 3 })
    await grant(companyId, 2)
    const [first, second, third] = devices as [TestDevice, TestDevice, TestDevice]
    await breach(first)
    await rounds()
    answer = async ({ channel }) =>
      channel === 'sms' ? { ok: false, reason: 'no such number' } : { ok: true, provider: 'test', providerId: null }
    await breach(second)
    await rounds()
    const wallet = async () =>
      (
        await road.rows<{ balance: number; reserved: number }>(
          'select balance, reserved from wallets where company_id = $1',
          [companyId],
        )
      )[0]
    expect(await wallet()).toEqual({ balance: 1, reserved: 0 })
    await road.change(companyId, 'update wallets set balance = 0 where company_id = $1', [companyId])
    await breach(third)
    await rounds()
    expect(await wallet()).toEqual({ balance: 0, reserved: 0 })
    const sms = (await deliveries(companyId)).filter(({ channel }) => channel === 'sms')
    expect(sms.map(({ state, reason }) => [state, reason])).toEqual([
      ['accepted', null],
      ['failed', 'no such number'],
      ['skipped', 'walletEmpty'],
    ])
    expect(sent.filter(({ channel }) => channel === 'mail')).toHaveLength(3)
    const entries = await road.rows<{ kind: string; units: number }>(
      'select kind, units from wallet_entries where company_id = $1 order by id',
      [companyId],
    )
    expect(entries).toEqual([
      { kind: 'reserved', units: 0 },
      { kind: 'settled', units: -1 },
      { kind: 'reserved', units: 0 },
      { kind: 'returned', units: 0 },
    ])
  })

  test('of a company that never had units is empty, which its Admins hear once, in-app, by mail and in their browsers', async () => {
    const { companyId, devices } = await scene([{ channels: ['app', 'sms'], role: 'admin' }], { devices: 2 })
    const pushed: unknown[] = []
    const stop = road.bus.subscribe(companyId, (event) => {
      if (event.kind === 'notification') pushed.push(event.data)
    })
    for (const device of devices) {
      await breach(device)
      await rounds()
    }
    stop()
    const lines = `select params from notifications where company_id = $1 and kind = 'wallet'`
    expect(await road.rows(lines, [companyId])).toEqual([{ params: { state: 'empty', wallet: 'sms', remaining: 0 } }])
    expect(sent.map(({ channel, payload }) => [channel, textsOf(payload, 'en').line])).toEqual([
      ['mail', 'No SMS units left: alarms go by the other channels only'],
    ])
    // The alarm, the wallet, the other alarm.
    expect(pushed).toMatchObject([{ unread: 1 }, { unread: 2 }, { unread: 3 }])
  })
})

test('the place is in a chat message, and in an SMS where it costs no segment more', async () => {
  const { device } = await scene([{ channels: ['mail'] }])
  await road.post(device, { at: start, temperatureC: 9, lat: 6.45, lon: 3.39 })
  await rounds()
  const payload = sent[0]?.payload as Delivery['payload']
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

test('a message that cannot be sent is tried again with the same key, then fails visibly', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'] }])
  answer = async () => {
    throw new Error('try later')
  }
  await breach(device)
  for (let i = 0; i < 8; i++) {
    await rounds()
    road.clock.advance(3_600_000)
  }
  expect(sent).toHaveLength(6)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(await deliveries(companyId)).toMatchObject([{ state: 'failed', reason: 'failed' }])
})

test('what a killed server was sending is sent by the next one', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'] }])
  await breach(device)
  await dispatch(tools())
  answer = () => new Promise(() => {})
  void deliver(tools())
  await expect.poll(() => sent.length).toBe(1)
  answer = async () => ({ ok: true, provider: 'test', providerId: null })
  await rounds()
  expect(sent).toHaveLength(1)
  road.clock.advance(61_000)
  await rounds()
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key])
  expect(await deliveries(companyId)).toMatchObject([{ state: 'accepted' }])
})

test('nobody acknowledges: reminders to the first, escalation to the others, until somebody does', async () => {
  const people = [{ channels: ['mail'] }, { channels: ['mail'], tier: 2 }]
  const { companyId, device } = await scene(people, { more: 'reminder_minutes = 10, escalate_minutes = 5' })
  await breach(device)
  await rounds()
  for (const minutes of [6, 5, 10]) {
    road.clock.advance(minutes * 60_000)
    await rounds()
  }
  const events = () => sent.map(({ payload }) => payload.alerts[0]?.event)
  expect(events()).toEqual(['opened', 'escalated', 'reminder', 'reminder', 'reminder', 'reminder'])
  await road.change(companyId, 'update alarm_triggers set acknowledged_at = now() where company_id = $1', [companyId])
  road.clock.advance(600_000)
  await rounds()
  expect(events()).toHaveLength(6)
})

test('a test goes by the real channels, says that it is one, costs its units once, and is no trigger', async () => {
  const { companyId } = await scene([{ channels: ['app', 'mail', 'sms'], quiet: ['00:00', '23:59'] }], {
    severity: 'warning',
    more: `name = 'Night watch'`,
  })
  await grant(companyId, 10)
  await road.change(
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
  const [wallet] = await road.rows('select balance, reserved from wallets where company_id = $1', [companyId])
  expect([wallet, sms?.units]).toEqual([{ balance: 9, reserved: 0 }, 1])
  const lines = await road.rows('select kind, severity from notifications where company_id = $1', [companyId])
  expect(lines).toEqual([{ kind: 'alarmTest', severity: 'info' }])
  expect(await road.rows('select from alarm_triggers where company_id = $1', [companyId])).toEqual([])
})

test('what opened during a snooze and lasts is told when it ends, once', async () => {
  const { device } = await scene([{ channels: ['mail'] }], { more: `snoozed_until = '2026-11-20T13:00:00Z'` })
  await breach(device)
  await rounds()
  expect(sent).toEqual([])
  road.clock.set('2026-11-20T13:00:01Z')
  await Promise.all([passTime(road.pool, road.clock.now()), passTime(road.pool, road.clock.now())])
  await rounds()
  expect(sent.map(({ payload }) => payload.alerts[0]?.event)).toEqual(['unsnoozed'])
})

test('an escalation that would have fallen into a snooze comes after it, while nobody acknowledges', async () => {
  const people = [{ channels: ['mail'] }, { channels: ['mail'], tier: 2 }]
  for (const isShelved of [true, false]) {
    const { companyId, device } = await scene(people, { more: 'escalate_minutes = 5' })
    const snooze = () =>
      road.change(companyId, `update alarms set snoozed_until = '2026-11-20T13:00:00Z' where company_id = $1`, [
        companyId,
      ])
    if (isShelved) await snooze()
    await breach(device)
    await rounds()
    if (!isShelved) await snooze()
    road.clock.set('2026-11-20T12:30:00Z')
    await rounds()
    road.clock.set('2026-11-20T13:00:01Z')
    await rounds()
    const events = () => sent.map(({ payload }) => payload.alerts[0]?.event)
    expect(events()).toEqual([isShelved ? 'unsnoozed' : 'opened'])
    road.clock.set('2026-11-20T13:05:02Z')
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
      await road.change(
        device.companyId,
        `update alarms set rule = jsonb_set(rule, '{delayMinutes}', '5') where company_id = $1`,
        [device.companyId],
      )
    const from = road.clock.now().getTime()
    await breach(device, 9, new Date(from))
    road.clock.advance(360_000)
    await breach(device, 9, new Date(from + 360_000))
    await rounds()
    const before = sent.length
    await breach(device, 7, new Date(from + 120_000))
    await rounds()
    await rounds()
    expect(sent.slice(before).map(({ payload }) => payload.alerts[0]?.event)).toEqual(more ? [] : ['withdrawn'])
    const lines = await road.rows<{ kind: string }>(
      'select kind from notifications where company_id = $1 order by id',
      [device.companyId],
    )
    expect(lines.map(({ kind }) => kind)).toEqual(more ? [] : ['alarmOpened', 'alarmWithdrawn'])
    if (!more) expect(textsOf(sent.at(-1)?.payload as Delivery['payload'], 'en').line).toContain('never was')
  }
})

test('gathering that makes a text longer reserves the segments it grows by, or leaves the text', async () => {
  const { companyId, devices } = await scene([{ channels: ['sms'] }], { devices: 40, more: `name = repeat('x', 60)` })
  await grant(companyId, 100)
  for (const device of devices.slice(0, 7)) {
    await breach(device)
    await rounds()
  }
  const held = async () => (await deliveries(companyId)).find(({ state }) => state === 'held')
  const before = await held()
  expect(before).toMatchObject({ reason: 'storm', payload: { more: 1 } })
  for (const device of devices.slice(7)) await breach(device)
  await rounds()
  expect(await held()).toMatchObject({ payload: { more: 34 } })
  road.clock.advance(61_000)
  await rounds()
  const spent = sent.reduce(
    (sum, { payload, locale }) => sum + smsSegments(smsText(payload, locale, 'https://cold.test')),
    0,
  )
  const [wallet] = await road.rows('select balance, reserved from wallets where company_id = $1', [companyId])
  expect(wallet).toEqual({ balance: 100 - spent, reserved: 0 })
})

test('the notifier is woken by events, and not by rounds that find nothing', async () => {
  const { devices } = await scene([{ channels: ['app'] }], { devices: 2 })
  const heard: (string | undefined)[] = []
  const client = await road.pool.connect()
  client.on('notification', ({ payload }) => heard.push(payload))
  try {
    await client.query('listen alarm_events')
    await rounds()
    await client.query(`select pg_notify('alarm_events', 'after rounds')`)
    expect(heard).toEqual(['after rounds'])
    await Promise.all(devices.map((device) => breach(device)))
    await client.query(`select pg_notify('alarm_events', 'after breaches')`)
    expect(heard.slice(1)).toContain('')
  } finally {
    client.release(true)
  }
})

describe('what cannot be told', () => {
  test('an address as long as may be, of many alarms at once, silences nobody', async () => {
    const { companyId, device } = await scene([{ channels: ['mail'] }])
    const other = await scene([{ channels: ['mail'] }])
    // Of random signs, which no index can compress: with the numbers of forty events it is longer than one may hold.
    const signs = Array.from(randomBytes(1_750), (byte, place) =>
      String.fromCharCode(0x4e00 + byte * 64 + (place % 64)),
    )
    await road.change(
      companyId,
      `with more as (insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, created_at, updated_at)
         select company_id, name, kind, severity, visibility, rule, rule_from, created_at, updated_at from alarms, generate_series(1, 39)
         where company_id = $1 returning id),
       t as (insert into alarm_targets (company_id, alarm_id, device_id) select $1, id, $2 from more)
       insert into alarm_recipients (company_id, alarm_id, tier, address, channels)
       select $1, id, 1, $3, array['webhook'] from more`,
      [companyId, device.id, `https://x.test/${signs.join('').slice(0, 878)}`],
    )
    await breach(device)
    await breach(other.device)
    await rounds()
    expect((await deliveries(companyId)).map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
      'mail accepted',
      'webhook accepted',
    ])
    expect((await deliveries(other.companyId)).map(({ state }) => state)).toEqual(['accepted'])
    for (const { key } of sent) expect(keyed(key)['idempotency-key'].length).toBeLessThan(200)
  })

  test('for a mistake of ours waits, and what comes before and after it is told', async () => {
    const [before, broken, after] = [
      await scene([{ channels: ['mail'] }]),
      await scene([{ channels: ['mail'], quiet: ['22:00', '06:00'] }], { severity: 'warning' }),
      await scene([{ channels: ['mail'] }]),
    ]
    const zone = (name: string) =>
      road.change(broken.companyId, 'update users set timezone = $2 where company_id = $1', [broken.companyId, name])
    await zone('Nowhere/Land')
    for (const { device } of [before, broken, after]) await breach(device)
    const aside = { events: new Aside(), crossings: new Aside() }
    const told = async () => {
      while ((await dispatch(tools(), aside)) > 0);
      const counts = [before, broken, after].map(async ({ companyId }) => (await deliveries(companyId)).length)
      return Promise.all(counts)
    }
    expect(await told()).toEqual([1, 0, 1])
    // Nothing is lost by it: it is tried again later.
    await zone('Africa/Lagos')
    road.clock.advance(11 * 60_000)
    expect(await told()).toEqual([1, 1, 1])
    await rounds()
  })
})

test('a message that takes longer than a minute is not sent a second time meanwhile', async () => {
  const { device, devices } = await scene([{ channels: ['mail'] }], { devices: 2 })
  const letGo: (() => void)[] = []
  answer = () => new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
  const notifier = new Notifier(tools(), road.databaseUrl)
  await notifier.start()
  try {
    await breach(device)
    await expect.poll(() => sent.length, patient).toBe(1)
    road.clock.advance(61_000)
    await breach(devices[1] as TestDevice)
    await expect.poll(() => sent.length, patient).toBeGreaterThan(1)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length)
  } finally {
    for (const go of letGo) go()
    await notifier.stop()
  }
})

test('webhooks of one company that all hang leave room for those of others', async () => {
  const theirs = await scene([{ channels: ['webhook'] }], { devices: 12 })
  const ours = await scene([{ channels: ['webhook'] }])
  const letGo: (() => void)[] = []
  answer = ({ companyId }) =>
    companyId === theirs.companyId
      ? new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
      : Promise.resolve({ ok: true, provider: 'test', providerId: null })
  // Each breach a message of its own.
  for (const device of theirs.devices) {
    await breach(device)
    while ((await dispatch(tools())) > 0);
    road.clock.advance(61_000)
  }
  const notifier = new Notifier(tools(), road.databaseUrl)
  await notifier.start()
  try {
    await expect.poll(() => letGo.length, patient).toBeGreaterThanOrEqual(5)
    await breach(ours.device)
    const states = async () => (await deliveries(ours.companyId)).map(({ state }) => state)
    await expect.poll(states, patient).toEqual(['accepted'])
  } finally {
    answer = async () => ({ ok: true, provider: 'test', providerId: null })
    for (const go of letGo) go()
    await notifier.stop()
  }
})

test('a webhook that hangs holds up neither mails nor other webhooks', async () => {
  const { companyId, device, devices } = await scene([{ channels: ['webhook', 'mail'] }], { devices: 2 })
  const letGo: (() => void)[] = []
  answer = ({ channel }) =>
    channel === 'webhook' && letGo.length < 1
      ? new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
      : Promise.resolve({ ok: true, provider: 'test', providerId: null })
  const notifier = new Notifier(tools(), road.databaseUrl)
  await notifier.start()
  try {
    await breach(device)
    await expect.poll(() => letGo.length).toBe(1)
    await breach(devices[1] as TestDevice)
    const accepted = async () =>
      (await deliveries(companyId)).flatMap(({ channel, state }) => (state === 'accepted' ? channel : [])).sort()
    await expect.poll(accepted).toEqual(['mail', 'mail', 'webhook'])
  } finally {
    for (const go of letGo) go()
    await notifier.stop()
  }
  expect((await deliveries(companyId)).every(({ state }) => state === 'accepted')).toBe(true)
})
