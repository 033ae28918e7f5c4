import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeIngest } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { createLog } from '../../platform/log/log.ts'
import { deliver, type OutboundMessage, outwardChannels, type Sent } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { measureNotifier } from './measure.ts'
import { textsOf } from './messages.ts'

const pipeline = describeIngest()

const sent: OutboundMessage[] = []
let answer: (delivery: OutboundMessage) => Promise<Sent>
const taken: Sent = { ok: true, provider: 'test', providerId: null }
const sender = {
  send: (delivery: OutboundMessage) => {
    sent.push(delivery)
    return answer(delivery)
  },
}
const registry = new Registry()
let count: ReturnType<typeof measureNotifier> | undefined
const tools = () => ({
  pool: pipeline.pool,
  bus: pipeline.bus,
  now: () => pipeline.clock.now(),
  nearestTownName: () => null,
  publicUrl: 'https://cold.test',
  log: createLog('silent'),
  count,
  senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
})
async function rounds() {
  while ((await dispatch(tools())) > 0);
  while ((await deliver(tools())) > 0);
}

/** A company in Lagos with two Admins, one of them French, and events of open triggers of two devices for a number nobody has. */
async function scene() {
  pipeline.clock.set('2026-11-20T12:00:00Z')
  sent.length = 0
  answer = async ({ channel }) => (channel === 'sms' ? { ok: false, reason: 'no such number' } : taken)
  const companyId = await pipeline.company()
  await pipeline.change(companyId, `update companies set timezone = 'Africa/Lagos' where company_id = $1`, [companyId])
  const device = await pipeline.device({ companyId })
  await pipeline.change(companyId, `update wallets set balance = 100 where company_id = $1 and kind = 'sms'`, [
    companyId,
  ])
  for (const locale of ['en', 'fr']) await buildUser(pipeline, { company: { companyId }, locale })
  await anAlarm(
    pipeline,
    { companyId },
    {
      ...{ severity: 'critical', notifyNormal: true, deviceIds: [device.id] },
      recipients: [{ phone: '+2348000000000', channels: ['sms'] }],
    },
  )
  const breach = async () => {
    for (const temperatureC of [5, 9]) {
      pipeline.clock.advance(120_000)
      await pipeline.post(device, { at: pipeline.clock.now().toISOString(), temperatureC })
    }
    await rounds()
  }
  const notices = () =>
    pipeline.rows<{ params: { channel: string; reason: string } }>(
      `select params from notifications where company_id = $1 and kind = 'deliveryFailed'`,
      [companyId],
    )
  return { companyId, breach, notices }
}

test('a definite failure is on the trigger, and the Admins are told once a day and channel, in-app and by mail, in their language', async () => {
  const { companyId, breach, notices } = await scene()
  const heard = pipeline.listen(companyId)
  await breach()
  const [failed] = await pipeline.rows(
    `select d.state, d.reason from delivery_triggers x join deliveries d on d.company_id = x.company_id and d.id = x.delivery_id
     where x.company_id = $1`,
    [companyId],
  )
  expect(failed).toEqual({ state: 'failed', reason: 'no such number' })
  expect((await notices()).map(({ params }) => params)).toEqual([
    { channel: 'sms', to: '+2348000000000', alarm: 'Too warm', reason: 'no such number' },
    { channel: 'sms', to: '+2348000000000', alarm: 'Too warm', reason: 'no such number' },
  ])
  expect(heard.filter(({ kind }) => kind === 'notification')).toHaveLength(2)
  const mails = sent.filter(({ channel }) => channel === 'mail')
  expect(mails.map(({ payload, locale }) => textsOf(payload, locale).line).sort()).toEqual([
    'A message by SMS to +2348000000000 could not be delivered: no such number',
    'Un message par SMS à +2348000000000 n’a pas pu être remis\u00a0: no such number',
  ])
  await breach()
  expect(await notices()).toHaveLength(2)
  // In Lagos the next day begins at 23:00 UTC.
  pipeline.clock.set('2026-11-20T23:00:01Z')
  await breach()
  expect(await notices()).toHaveLength(4)
})

test('a mail of failure that fails is told to nobody: there is no end to that', async () => {
  const { breach, notices } = await scene()
  answer = async () => ({ ok: false, reason: 'nobody there' })
  await breach()
  expect((await notices()).every(({ params }) => params.channel === 'sms')).toBe(true)
  expect(await notices()).toHaveLength(2)
})

test('the metrics count what waits, how late the oldest is, and what became of messages', async () => {
  count = measureNotifier(registry, pipeline.pool, outwardChannels, () => pipeline.clock.now())
  const { companyId, breach } = await scene()
  await breach()
  await pipeline.change(
    companyId,
    `insert into deliveries (company_id, key, channel, event, address, locale, payload, severity, state, next_at, created_at)
     values ($1, 'waits', 'webhook', 'opened', 'x', 'en', '{}', 'critical', 'queued', $2, $2)`,
    [companyId, new Date(pipeline.clock.now().getTime() - 90_000)],
  )
  const text = await registry.metrics()
  expect(text).toContain('notify_messages_waiting{channel="webhook"} 1\n')
  expect(text).toContain('notify_oldest_due_seconds{channel="webhook"} 90\n')
  expect(text).toContain('notify_messages_waiting{channel="sms"} 0\n')
  expect(text).toContain('notify_events_waiting 0\n')
  expect(text).toContain('notify_messages_total{channel="sms",outcome="failed"} 1\n')
  expect(text).toContain('notify_messages_total{channel="mail",outcome="accepted"} 2\n')
})
