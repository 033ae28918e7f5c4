import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { startTestPipeline } from '../../../test/pipeline-harness.ts'
import { newPair, privateKeyOf, startPushService } from '../../../test/push-service.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Mail, Mailer } from '../../platform/mail/mailer.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { sendersOf } from './senders.ts'

const hostile = (what: string) => `${what}<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`
const alarm = hostile('Alarm')
const device = hostile('Fridge')

/** A company that receives webhooks. */
async function startReceiver() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString())
      response.writeHead(request.headers['content-type'] === 'application/json' ? 204 : 415).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, bodies, close: () => new Promise((done) => server.close(done)) }
}

test('names with a script in them are text in mail, SMS, chat, webhook, push and the notification centre', async () => {
  const pipeline = await startTestPipeline()
  const service = await startPushService(['/browser'])
  const receiver = await startReceiver()
  const outbox = await mkdtemp(join(tmpdir(), 'isotherm-outbox-'))
  const mails: Mail[] = []
  const keys = newPair()
  const webPush = {
    publicKey: keys.getPublicKey('base64url'),
    privateKey: privateKeyOf(keys),
    subject: 'mailto:a@b.test',
  }
  const tools = {
    pool: pipeline.pool,
    bus: pipeline.bus,
    now: () => pipeline.clock.now(),
    nearestTownName: () => hostile('Lagos'),
    publicUrl: 'https://cold.test',
    log: createLog('silent'),
    senders: sendersOf({
      secret: Buffer.alloc(32),
      now: () => pipeline.clock.now(),
      pool: pipeline.pool,
      mailer: { send: async (mail) => void mails.push(mail) } satisfies Mailer,
      outbox,
      publicUrl: 'https://cold.test',
      webhookSecretOf: async () => randomBytes(32),
      allowPrivate: true,
      accounts: { webPush, twilio: null, africasTalking: null, whatsApp: null },
      log: createLog('silent'),
    }),
  }
  try {
    pipeline.clock.set('2026-11-20T12:00:00Z')
    const companyId = await pipeline.company()
    const tracker = await pipeline.device({ companyId, name: device })
    await pipeline.change(companyId, 'update wallets set balance = 100 where company_id = $1', [companyId])
    const { id: userId } = await buildUser(pipeline, {
      ...{ company: { companyId }, fullname: hostile('Amina'), phone: '+2348000000000', timezone: 'Africa/Lagos' },
      ...{ email: 'a@example.test', settings: { push: true }, browsers: service.browsers },
    })
    await anAlarm(
      pipeline,
      { companyId },
      {
        ...{ name: alarm, severity: 'critical', deviceIds: [tracker.id] },
        recipients: [{ userId, channels: ['app', 'mail', 'sms', 'chat'] }, { webhook: receiver.url }],
      },
    )
    const at = pipeline.clock.now().toISOString()
    await pipeline.post(tracker, { at, temperatureC: 9, lat: 6.45, lon: 3.39 })
    while ((await dispatch(tools)) > 0);
    while ((await deliver(tools)) > 0);
    const states = await pipeline.rows(
      'select distinct channel, state from deliveries where company_id = $1 order by 1',
      [companyId],
    )
    expect(states).toEqual(
      ['chat', 'mail', 'push', 'sms', 'webhook'].map((channel) => ({ channel, state: 'accepted' })),
    )

    const [mail] = mails
    expect(mail?.text).toContain(device)
    expect(mail?.text).toContain(alarm)
    expect(mail?.text).toContain(hostile('Lagos'))
    expect(mail?.subject).toContain(device)
    expect(mail?.html).toContain('Fridge&#60;script&#62;')
    // No tag but our own, no attribute but the link's.
    const ownTags = ['a', 'body', 'div', 'head', 'html', 'meta', 'p', 'style']
    expect([...new Set([...(mail?.html ?? '').matchAll(/<(\w+)/g)].map(([, tag]) => tag))].sort()).toEqual(ownTags)
    expect(mail?.html).not.toMatch(/<[^>]*onerror/)

    const files = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
    for (const text of files.map((file) => JSON.parse(file).text)) expect(text).toContain('Fridge<script>')
    expect(files).toHaveLength(2)

    const [hook] = receiver.bodies
    expect(JSON.parse(hook ?? '')).toMatchObject({ alerts: [{ alarm, device, place: hostile('Lagos') }] })
    const [push] = service.pushed
    expect(push?.text.title).toContain('Fridge<script>')
    expect(push?.text.url).toMatch(/^\/alarms\/triggered-alarms\?trigger=\d+$/)

    const lines = await pipeline.rows('select params from notifications where company_id = $1', [companyId])
    expect(lines).toMatchObject([{ params: { alarm, device } }])
  } finally {
    await Promise.all([service.close(), receiver.close()])
    await pipeline.close()
    await rm(outbox, { recursive: true, force: true })
  }
})
