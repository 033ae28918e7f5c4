import { createPublicKey, randomBytes, verify } from 'node:crypto'
import type { Role } from '@isotherm/contract/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
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
    secret: Buffer.alloc(32),
    now: () => pipeline.clock.now(),
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
  severity?: 'warning' | 'critical'
  locale?: string
  alarm?: string
  visibility?: 'private' | 'public'
  role?: Role
  devices?: number
}

/** An alarm whose one person, in quiet hours of 12:30 to 14:00 in Lagos, has two browsers and wants pushes as told. */
async function scene(wanted: PushOptions = {}) {
  const { wants = true, severity = 'critical', locale = 'en', alarm = 'Too warm' } = wanted
  const { visibility = 'public', role = 'admin' } = wanted
  pipeline.clock.set('2026-11-20T12:00:00Z')
  service.pushed.length = 0
  service.status = 201
  const companyId = await pipeline.company()
  const devices: TestDevice[] = []
  for (let n = 0; n < (wanted.devices ?? 1); n++) devices.push(await pipeline.device({ companyId }))
  const { id: userId } = await buildUser(pipeline, {
    ...{ company: { companyId }, role, locale, timezone: 'Africa/Lagos', browsers: service.browsers },
    settings: { push: wants, quiet_from: '12:30', quiet_to: '14:00' },
  })
  const deviceIds = devices.map(({ id }) => id)
  await anAlarm(
    pipeline,
    { companyId },
    { name: alarm, severity, visibility, notifyNormal: true, deviceIds, userIds: [userId] },
  )
  const [device] = devices as [TestDevice]
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
  return { companyId, devices, subscribed, states, read }
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
  // Each browser has a link of its own.
  const links = service.pushed.map(({ text }) => text.acknowledge)
  for (const link of links)
    expect(link).toEqual({ title: 'Acquitter', url: expect.stringMatching(/^\/acknowledge#[\w-]{43}$/) })
  expect(new Set(links.map((link) => link?.url)).size).toBe(2)
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
  const { devices } = await scene({ devices: 9 })
  service.pushed.length = 0
  pipeline.clock.set('2026-11-20T12:02:00Z')
  for (const device of devices.slice(1))
    await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC: 9 })
  await rounds()
  expect(service.pushed).toHaveLength(2)
  for (const { text } of service.pushed) expect(text.body).toMatch(/7/)
})
