import { openReceiver } from '@isotherm/simulator/webhooks/receiver.ts'
import { expect, onTestFinished, test } from 'vitest'
import { buildUser, inCompany } from '../../../test/factories.ts'
import { anEndpoint } from '../../../test/webhook-factory.ts'
import { describeWebhooks, events } from '../../../test/webhook-scene.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { numberAll, WebhookSender } from './webhook-sender.ts'

const { t, scene, answerWith, happen, endpoint } = describeWebhooks()

const slowMs = 1_200

/** A company with so many endpoints at a receiver, and so many messages for each. */
async function aCompany(url: string, endpoints: number, messages: number) {
  const admin = await buildUser(t)
  const { companyId } = admin
  for (let n = 0; n < endpoints; n++) await anEndpoint(t, admin, { url: `${url}/hook-${companyId}-${n}`, events })
  const at = t.clock.now()
  const times = { startAt: at.toISOString(), endAt: at.toISOString() }
  const drafts = Array.from({ length: messages }, (_, n) => ({
    ...({ companyId, type: 'record.ended', key: String(n), at } as const),
    data: { recordId: String(n), name: 'Record', endedBy: 'hand' as const, ...times },
  }))
  await inCompany(t, companyId, ({ tx }) => noteEvents(tx, drafts))
  return companyId
}

test('receivers that answer well, but slowly, hold up nobody else, and have half of the turns', async () => {
  const slow = await openReceiver()
  slow.answer = () => ({ status: 200, afterMs: slowMs })
  const companies: number[] = []
  for (let n = 0; n < 9; n++) companies.push(await aCompany(slow.url, 8, 40))
  await endpoint()
  answerWith(200)
  while ((await numberAll(t.services)) > 0);
  const sender = new WebhookSender(t.services)
  sender.start()
  onTestFinished(async () => {
    for (const companyId of companies)
      await t.change(companyId, `update webhook_endpoints set state = 'off' where company_id = $1`, [companyId])
    await sender.stop()
    await slow.close()
  })
  await expect.poll(() => slow.received.length).toBeGreaterThan(60)
  // Every turn is taken.
  await happen()
  await expect.poll(() => scene.receiver.received.length).toBe(1)
  // Each of the slow ones has answered once by now.
  await expect.poll(() => new Set(slow.received.map(({ path }) => path)).size).toBe(72)
  await new Promise((resolve) => setTimeout(resolve, 2 * slowMs))
  const from = Date.now()
  await new Promise((resolve) => setTimeout(resolve, slowMs - 200))
  const to = Date.now()
  const within = slow.received.filter(({ at }) => at >= from && at <= Math.min(to, from + slowMs))
  expect(within.length).toBeGreaterThan(0)
  expect(within.length).toBeLessThanOrEqual(32)
}, 150_000)

test('the endpoints of one company have eight turns at once', async () => {
  const receiver = await openReceiver()
  receiver.answer = () => ({ status: 200, hangs: true })
  const companyId = await aCompany(receiver.url, 10, 5)
  while ((await numberAll(t.services)) > 0);
  const sender = new WebhookSender(t.services)
  sender.start()
  onTestFinished(async () => {
    await t.change(companyId, `update webhook_endpoints set state = 'off' where company_id = $1`, [companyId])
    await receiver.close()
    await sender.stop()
  })
  await expect.poll(() => receiver.received.length).toBe(8)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(receiver.received).toHaveLength(8)
}, 60_000)
