import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { addUnits } from '../../core/wallet/wallet-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { keyed } from '../../platform/messaging/providers/ask.ts'
import { smsSegments } from '../../platform/messaging/sms-segments.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { smsText, textsOf } from './messages.ts'
import { Notifier } from './notifier.ts'
import { Quarantine } from './quarantine.ts'

const pipeline = describeIngest()

const patient = { timeout: 30_000 }
const { sent, provider, tools, rounds, scene, breach, grant, deliveries } = notifyStage(() => pipeline)

describe('the wallet', () => {
  test('pays for what is sent, gets back what definitely failed, and is never below zero', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms', 'mail'] }], { devices: 3, severity: 'warning' })
    await grant(companyId, 2)
    const [first, second, third] = devices as [TestDevice, TestDevice, TestDevice]
    await breach(first)
    await rounds()
    provider.answer = async ({ channel }) =>
      channel === 'sms' ? { ok: false, reason: 'no such number' } : { ok: true, provider: 'test', providerId: null }
    await breach(second)
    await rounds()
    const wallet = async () =>
      (
        await pipeline.rows<{ balance: number; reserved: number }>(
          `select balance, reserved from wallets where company_id = $1 and kind = 'sms'`,
          [companyId],
        )
      )[0]
    expect(await wallet()).toEqual({ balance: 1, reserved: 0 })
    await pipeline.change(companyId, 'update wallets set balance = 0 where company_id = $1', [companyId])
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
    const entries = await pipeline.rows<{ kind: string; units: number }>(
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
    await pipeline.change(companyId, 'update wallets set overdraft_units = 0 where company_id = $1', [companyId])
    const pushed: unknown[] = []
    const stop = pipeline.bus.subscribe(companyId, (event) => {
      if (event.kind === 'notification') pushed.push(event.data)
    })
    for (const device of devices) {
      await breach(device)
      await rounds()
    }
    stop()
    const lines = `select params from notifications where company_id = $1 and kind = 'wallet'`
    expect(await pipeline.rows(lines, [companyId])).toEqual([
      { params: { state: 'empty', wallet: 'sms', remaining: 0 } },
    ])
    expect(sent.map(({ channel, payload }) => [channel, textsOf(payload, 'en').line])).toEqual([
      ['mail', 'No SMS units left: alarms go by the other channels only'],
    ])
    // The alarm, the wallet, the other alarm.
    expect(pushed).toMatchObject([{ unread: 1 }, { unread: 2 }, { unread: 3 }])
  })

  test('that runs low is told to its Admins once, in-app and by mail, and again after new units have run low', async () => {
    const { companyId, devices } = await scene([{ channels: ['app', 'sms'], role: 'admin' }], { devices: 4 })
    await pipeline.change(companyId, `update wallets set warn_below = 3 where company_id = $1`, [companyId])
    const low = async () =>
      (
        await pipeline.rows<{ params: { remaining: number } }>(
          `select params from notifications where company_id = $1 and kind = 'wallet' and params->>'state' = 'low' order by id`,
          [companyId],
        )
      ).map(({ params }) => params.remaining)
    const told = []
    await grant(companyId, 4)
    for (const [index, device] of devices.entries()) {
      pipeline.clock.advance(60_000)
      if (index === 3)
        await asPipeline(pipeline.pool, ({ client }) =>
          addUnits(
            client,
            { companyId, channel: 'sms' },
            2,
            { kind: 'granted', reference: null },
            pipeline.clock.now(),
          ),
        )
      await breach(device)
      await rounds()
      told.push(await low())
    }
    expect(told).toEqual([[], [2], [2], [2, 2]])
    expect(sent.filter(({ channel }) => channel === 'mail').map(({ payload }) => textsOf(payload, 'en').line)).toEqual([
      'SMS units run low: 2 left',
      'SMS units run low: 2 left',
    ])
  })
})

test('a message that cannot be sent is tried again for a day with the same key, which Admins hear after an hour, then fails visibly', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'], role: 'admin' }])
  provider.answer = async () => {
    throw new Error('try later')
  }
  await breach(device)
  const [begun] = [pipeline.clock.now().getTime()]
  const hours = () => (pipeline.clock.now().getTime() - begun) / 3_600_000
  const ofAlarm = async () => (await deliveries(companyId)).find(({ event }) => event === 'opened')
  const told = () =>
    pipeline.rows<{ params: object }>(
      `select params from notifications where company_id = $1 and kind = 'deliveryFailed' order by id limit 1`,
      [companyId],
    )
  const toldAfter: number[] = []
  for (await rounds(); (await ofAlarm())?.state === 'queued'; await rounds()) {
    if (toldAfter.length === 0 && (await told()).length > 0) toldAfter.push(hours())
    pipeline.clock.advance(600_000)
  }
  expect(hours()).toBeGreaterThan(24)
  expect(hours()).toBeLessThan(30)
  expect(new Set(sent.flatMap(({ key, event }) => (event === 'opened' ? key : []))).size).toBe(1)
  expect(await ofAlarm()).toMatchObject({ state: 'failed', reason: 'failed' })
  expect(toldAfter[0]).toBeGreaterThanOrEqual(1)
  expect(toldAfter[0]).toBeLessThan(2)
  expect(await told()).toMatchObject([{ params: { channel: 'mail', reason: 'late' } }])
})

test('what a killed server was sending is sent by the next one', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'] }])
  await breach(device)
  await dispatch(tools())
  provider.answer = () => new Promise(() => {})
  void deliver(tools())
  await expect.poll(() => sent.length).toBe(1)
  provider.answer = async () => ({ ok: true, provider: 'test', providerId: null })
  await rounds()
  expect(sent).toHaveLength(1)
  pipeline.clock.advance(61_000)
  await rounds()
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key])
  expect(await deliveries(companyId)).toMatchObject([{ state: 'accepted' }])
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
  pipeline.clock.advance(61_000)
  await rounds()
  const spent = sent.reduce(
    (sum, { payload, locale }) => sum + smsSegments(smsText(payload, locale, 'https://cold.test')),
    0,
  )
  const [wallet] = await pipeline.rows(`select balance, reserved from wallets where company_id = $1 and kind = 'sms'`, [
    companyId,
  ])
  expect(wallet).toEqual({ balance: 100 - spent, reserved: 0 })
})

test('the notifier is woken by events, and not by rounds that find nothing', async () => {
  const { devices } = await scene([{ channels: ['app'] }], { devices: 2 })
  const heard: (string | undefined)[] = []
  const client = await pipeline.pool.connect()
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
    // Random characters, which no index can compress: with the numbers of forty events it is longer than an index entry may be.
    const signs = Array.from(randomBytes(1_750), (byte, index) =>
      String.fromCharCode(0x4e00 + byte * 64 + (index % 64)),
    )
    const webhook = `https://x.test/${signs.join('').slice(0, 878)}`
    for (let n = 1; n < 40; n++)
      await anAlarm(
        pipeline,
        { companyId },
        { severity: 'critical', deviceIds: [device.id], recipients: [{ webhook }] },
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
      pipeline.change(broken.companyId, 'update users set timezone = $2 where company_id = $1', [
        broken.companyId,
        name,
      ])
    await zone('Nowhere/Land')
    for (const { device } of [before, broken, after]) await breach(device)
    const quarantine = { events: new Quarantine(), crossings: new Quarantine(), orders: new Quarantine() }
    const told = async () => {
      while ((await dispatch(tools(), quarantine)) > 0);
      const counts = [before, broken, after].map(async ({ companyId }) => (await deliveries(companyId)).length)
      return Promise.all(counts)
    }
    expect(await told()).toEqual([1, 0, 1])
    // Nothing is lost by it: it is tried again later.
    await zone('Africa/Lagos')
    pipeline.clock.advance(11 * 60_000)
    expect(await told()).toEqual([1, 1, 1])
    await rounds()
  })
})

test('a message that takes longer than a minute is not sent a second time meanwhile', async () => {
  const { device, devices } = await scene([{ channels: ['mail'] }], { devices: 2 })
  const letGo: (() => void)[] = []
  provider.answer = () =>
    new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
  const notifier = new Notifier(tools(), pipeline.databaseUrl)
  await notifier.start()
  try {
    await breach(device)
    await expect.poll(() => sent.length, patient).toBe(1)
    pipeline.clock.advance(61_000)
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
  provider.answer = ({ companyId }) =>
    companyId === theirs.companyId
      ? new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
      : Promise.resolve({ ok: true, provider: 'test', providerId: null })
  // Each breach a message of its own.
  for (const device of theirs.devices) {
    await breach(device)
    while ((await dispatch(tools())) > 0);
    pipeline.clock.advance(61_000)
  }
  const notifier = new Notifier(tools(), pipeline.databaseUrl)
  await notifier.start()
  try {
    await expect.poll(() => letGo.length, patient).toBeGreaterThanOrEqual(5)
    await breach(ours.device)
    const states = async () => (await deliveries(ours.companyId)).map(({ state }) => state)
    await expect.poll(states, patient).toEqual(['accepted'])
  } finally {
    provider.answer = async () => ({ ok: true, provider: 'test', providerId: null })
    for (const go of letGo) go()
    await notifier.stop()
  }
})

test('a webhook that hangs holds up neither mails nor other webhooks', async () => {
  const { companyId, device, devices } = await scene([{ channels: ['webhook', 'mail'] }], { devices: 2 })
  const letGo: (() => void)[] = []
  provider.answer = ({ channel }) =>
    channel === 'webhook' && letGo.length < 1
      ? new Promise((resolve) => letGo.push(() => resolve({ ok: true, provider: 'test', providerId: null })))
      : Promise.resolve({ ok: true, provider: 'test', providerId: null })
  const notifier = new Notifier(tools(), pipeline.databaseUrl)
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
