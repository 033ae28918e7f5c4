import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { newPair, type PushService, privateKeyOf, startPushService } from '../../../test/push-service.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { sendersOf } from './senders.ts'

let service: PushService
const pipeline = describeIngest()
beforeAll(async () => {
  service = await startPushService(['/one', '/two'])
})
afterAll(() => service.close())

const server = newPair()
const webPush = {
  publicKey: server.getPublicKey('base64url'),
  privateKey: privateKeyOf(server),
  subject: 'mailto:ops@example.test',
}
let allowPrivate = true
const tools = () => ({
  pool: pipeline.pool,
  bus: pipeline.bus,
  now: () => pipeline.clock.now(),
  nearestTownName: () => null,
  publicUrl: 'https://cold.test',
  log: createLog('silent'),
  senders: sendersOf({
    pool: pipeline.pool,
    mailer: { send: async () => {} } satisfies Mailer,
    outbox: '/nowhere',
    publicUrl: 'https://cold.test',
    webhookSecretOf: async () => randomBytes(32),
    allowPrivate,
    accounts: { webPush, twilio: null, africasTalking: null, whatsApp: null },
    log: createLog('silent'),
  }),
})
async function rounds() {
  while ((await dispatch(tools())) > 0);
  while ((await deliver(tools())) > 0);
}

interface PushOptions {
  wants?: boolean
  severity?: string
  locale?: string
  alarm?: string
  visibility?: string
  role?: string
}

/** An alarm whose one person, in quiet hours of 12:30 to 14:00 in Lagos, has two browsers and wants pushes as told. */
async function scene(wanted: PushOptions = {}) {
  const { wants = true, severity = 'critical', locale = 'en', alarm = 'Too warm' } = wanted
  pipeline.clock.set('2026-11-20T12:00:00Z')
  service.pushed.length = 0
  service.status = 201
  const companyId = await pipeline.company()
  const device = await pipeline.device({ companyId })
  await pipeline.change(
    companyId,
    `with a as (insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, notify_normal, created_at, updated_at)
       values ($1, $7, 'value', $5, $8, $2, '2020-01-01', true, now(), now()) returning id),
     t as (insert into alarm_targets (company_id, alarm_id, device_id) select $1, id, $3 from a),
     u as (insert into users (company_id, fullname, email, role, timezone, locale, status)
       values ($1, 'A', 'a' || $1::int4 || '@example.test', $9, 'Africa/Lagos', $6, 'active') returning id),
     s as (insert into notification_settings (company_id, user_id, push, quiet_from, quiet_to, updated_at)
       select $1, id, $4, '12:30', '14:00', now() from u)
     insert into alarm_recipients (company_id, alarm_id, tier, user_id, channels) select $1, a.id, 1, u.id, array['app'] from a, u`,
    [
      companyId,
      JSON.stringify(AlarmRule.parse({ kind: 'value', temperatureMaxC: 8 })),
      device.id,
      wants,
      severity,
      locale,
      alarm,
      wanted.visibility ?? 'public',
      wanted.role ?? 'admin',
    ],
  )
  for (const { endpoint, p256dh, auth } of service.browsers)
    await pipeline.change(
      companyId,
      `insert into push_subscriptions (company_id, user_id, endpoint, p256dh, auth, created_at)
       select $1, id, $2, $3, $4, now() from users where company_id = $1`,
      [companyId, endpoint, p256dh, auth],
    )
  const read = async (temperatureC: number) => {
    await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC })
    await rounds()
  }
  await read(9)
  const subscribed = () => pipeline.rows('select endpoint from push_subscriptions where company_id = $1', [companyId])
  const states = () =>
    pipeline.rows<{ state: string; reason: string | null }>(
      `select state, reason from deliveries where company_id = $1 and channel = 'push' order by id`,
      [companyId],
    )
  return { companyId, subscribed, states, read }
}

test('what is new in the notification centre is pushed to each browser of the person, which alone can read it', async () => {
  const { states, read } = await scene({ locale: 'fr', alarm: '<script>alert(1)</script>' })
  expect(service.pushed.map(({ path }) => path).sort()).toEqual(['/one', '/two'])
  for (const { headers, text } of service.pushed) {
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' })
    expect(text).toMatchObject({
      body: expect.stringContaining('température 9,0\u00a0°C'),
      url: expect.stringMatching(/^\/alarms\/triggered-alarms\?trigger=\d+$/),
      tag: expect.stringMatching(/^trigger \d+$/),
      lang: 'fr',
    })
  }
  expect((await states()).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  // The latest state replaces the message before.
  pipeline.clock.set('2026-11-20T12:01:00Z')
  await read(5)
  expect(service.pushed.map(({ text }) => text.tag)).toEqual(Array(4).fill(service.pushed[0]?.text.tag))
})

test('the push service can verify whose push it is, for itself alone', async () => {
  await scene()
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(service.pushed[0]?.headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = server.getPublicKey()
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(key).toBe(webPush.publicKey)
  expect(
    verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')),
  ).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: service.url,
    sub: webPush.subject,
  })
})

test('nobody is pushed to who does not want it, or may not see the alarm', async () => {
  await scene({ wants: false })
  await scene({ visibility: 'private', role: 'staff' })
  expect(service.pushed).toEqual([])
})

test('what is no emergency waits for the end of quiet hours, and is let be where it is over by then', async () => {
  const lasting = await scene({ severity: 'warning' })
  const over = await scene({ severity: 'warning' })
  expect(service.pushed).toEqual([])
  pipeline.clock.set('2026-11-20T12:10:00Z')
  await over.read(5)
  pipeline.clock.set('2026-11-20T13:00:01Z')
  await rounds()
  expect((await lasting.states()).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  expect((await over.states()).slice(0, 2)).toEqual(Array(2).fill({ state: 'skipped', reason: 'overMeanwhile' }))
})

test.each([404, 410])(
  'a browser that is gone (%i) is forgotten, and no Admin hears of a failed channel',
  async (gone) => {
    const { companyId, subscribed, read } = await scene()
    service.status = gone
    pipeline.clock.set('2026-11-20T12:01:00Z')
    await read(5)
    expect(await subscribed()).toEqual([])
    expect(
      await pipeline.rows(`select from notifications where company_id = $1 and kind = 'deliveryFailed'`, [companyId]),
    ).toEqual([])
  },
)

test('a push service that is down or asks to wait is tried again', async () => {
  const { states, read, subscribed } = await scene()
  for (const busy of [503, 429]) {
    service.status = busy
    pipeline.clock.set(new Date(pipeline.clock.now().getTime() + 120_000).toISOString())
    await read(busy === 503 ? 5 : 9)
  }
  expect((await states()).map(({ state }) => state).sort()).toEqual([
    'accepted',
    'accepted',
    ...Array(4).fill('queued'),
  ])
  service.status = 201
  pipeline.clock.set(new Date(pipeline.clock.now().getTime() + 3_600_000).toISOString())
  await rounds()
  expect((await states()).every(({ state }) => state === 'accepted')).toBe(true)
  expect(await subscribed()).toHaveLength(2)
})

test('an endpoint in our own net gets nothing and is forgotten', async () => {
  allowPrivate = false
  try {
    const { subscribed, states } = await scene()
    expect(service.pushed).toEqual([])
    expect((await states()).map(({ state }) => state)).toEqual(['failed', 'failed'])
    expect(await subscribed()).toEqual([])
  } finally {
    allowPrivate = true
  }
})

test('more than five devices at once are one push', async () => {
  const { companyId } = await scene()
  const devices = await Promise.all(Array.from({ length: 8 }, () => pipeline.device({ companyId })))
  for (const device of devices)
    await pipeline.change(
      companyId,
      'insert into alarm_targets (company_id, alarm_id, device_id) select $1, id, $2 from alarms where company_id = $1',
      [companyId, device.id],
    )
  service.pushed.length = 0
  pipeline.clock.set('2026-11-20T12:02:00Z')
  for (const device of devices) await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC: 9 })
  await rounds()
  expect(service.pushed).toHaveLength(2)
  for (const { text } of service.pushed) expect(text.body).toMatch(/7/)
})
