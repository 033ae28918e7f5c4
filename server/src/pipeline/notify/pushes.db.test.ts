import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestRoad, type TestRoad } from '../../../test/road-harness.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { sendersOf } from './senders.ts'

let road: TestRoad
let url: string
let status = 201
const pushed: { path: string; headers: IncomingHttpHeaders; bytes: number }[] = []
const service = createServer((request, response) => {
  let bytes = 0
  request.on('data', (part) => {
    bytes += part.length
  })
  request.on('end', () => {
    pushed.push({ path: request.url ?? '', headers: request.headers, bytes })
    response.writeHead(status).end()
  })
})
beforeAll(async () => {
  road = await startTestRoad()
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise((done) => service.close(done))
  await road.close()
})

const pair = createECDH('prime256v1')
pair.generateKeys()
const publicKey = pair.getPublicKey().toString('base64url')
const webPush = {
  publicKey,
  privateKey: pair.getPrivateKey().toString('base64url'),
  subject: 'mailto:ops@example.test',
}
const tools = () => ({
  pool: road.pool,
  bus: road.bus,
  now: () => road.clock.now(),
  placeNameAt: () => null,
  publicUrl: 'https://cold.test',
  log: createLog('silent'),
  senders: sendersOf({
    pool: road.pool,
    mailer: { send: async () => {} } satisfies Mailer,
    outbox: '/nowhere',
    publicUrl: 'https://cold.test',
    webhookSecretOf: async () => randomBytes(32),
    allowPrivate: true,
    accounts: { webPush, twilio: null, africasTalking: null, whatsApp: null },
    log: createLog('silent'),
  }),
})
async function rounds() {
  while ((await dispatch(tools())) > 0);
  while ((await deliver(tools())) > 0);
}

/** An alarm whose one person, in quiet hours of 12:30 to 14:00 in Lagos, has two browsers and wants pushes as told. */
async function scene({ wants = true, severity = 'critical' } = {}) {
  road.clock.set('2026-11-20T12:00:00Z')
  pushed.length = 0
  status = 201
  const companyId = await road.company()
  const device = await road.device({ companyId })
  await road.change(
    companyId,
    `with a as (insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, created_at, updated_at)
       values ($1, 'Too warm', 'value', $6, 'public', $2, '2020-01-01', now(), now()) returning id),
     t as (insert into alarm_targets (company_id, alarm_id, device_id) select $1, id, $3 from a),
     u as (insert into users (company_id, fullname, email, role, timezone, locale, status)
       values ($1, 'A', 'a' || $1::int4 || '@example.test', 'admin', 'Africa/Lagos', 'en', 'active') returning id),
     s as (insert into notification_settings (company_id, user_id, push, quiet_from, quiet_to, updated_at)
       select $1, id, $5, '12:30', '14:00', now() from u),
     p as (insert into push_subscriptions (company_id, user_id, endpoint, p256dh, auth, created_at)
       select $1, u.id, $4 || b, $7, 'BTBZMqHH6r4Tts7J_aSIgg', now() from u, unnest(array['/one', '/two']) b)
     insert into alarm_recipients (company_id, alarm_id, tier, user_id, channels) select $1, a.id, 1, u.id, array['app'] from a, u`,
    [
      companyId,
      JSON.stringify(AlarmRule.parse({ kind: 'value', temperatureMaxC: 8 })),
      device.id,
      url,
      wants,
      severity,
      publicKey,
    ],
  )
  await road.post(device, { at: road.clock.now().toISOString(), temperatureC: 9 })
  await rounds()
  const browsers = () => road.rows('select endpoint from push_subscriptions where company_id = $1', [companyId])
  const states = () =>
    road.rows<{ state: string }>(`select state from deliveries where company_id = $1 and channel = 'push'`, [companyId])
  return { companyId, browsers, states }
}

test('what is new in the notification centre is pushed to each browser of the person, encrypted and signed', async () => {
  const { states } = await scene()
  expect(pushed.map(({ path }) => path).sort()).toEqual(['/one', '/two'])
  for (const { headers, bytes } of pushed) {
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' })
    expect(headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/)
    expect(bytes).toBeGreaterThan(200)
  }
  expect(await states()).toEqual([{ state: 'accepted' }, { state: 'accepted' }])
})

test('nobody is pushed to who does not want it, nor in quiet hours by what is no emergency', async () => {
  await scene({ wants: false })
  expect(pushed).toEqual([])
  await scene({ severity: 'warning' })
  expect(pushed).toEqual([])
})

test('a browser that is gone is forgotten, and no Admin hears of a failed channel', async () => {
  const { companyId, browsers } = await scene()
  status = 410
  const [device] = await road.rows<{ id: string }>('select id from devices where company_id = $1', [companyId])
  expect(device).toBeDefined()
  await road.change(
    companyId,
    `insert into alarm_events (company_id, kind, alarm_id, trigger_id, at) select $1, 'reminder', alarm_id, id, now() from alarm_triggers where company_id = $1`,
    [companyId],
  )
  await rounds()
  expect(await browsers()).toEqual([])
  expect(
    await road.rows(`select from notifications where company_id = $1 and kind = 'deliveryFailed'`, [companyId]),
  ).toEqual([])
})
