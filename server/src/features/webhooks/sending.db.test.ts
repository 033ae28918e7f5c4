import type { ReceivedMessage } from '@isotherm/simulator/webhooks/receiver.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { anEndpoint } from '../../../test/webhook-factory.ts'
import { describeWebhooks, events } from '../../../test/webhook-scene.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { DatabaseClock } from '../../platform/clock/database-clock.ts'
import { askTime } from '../../platform/db/clock-queries.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { takeMessage } from './send-queries.ts'
import { numberAll } from './webhook-sender.ts'

const { t, scene, call, answerWith, happen, endpoint, send, log, ids } = describeWebhooks()

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

test('a message is signed by Standard Webhooks, and its log has what was sent and answered', async () => {
  const { id, secret } = await endpoint()
  answerWith(202, {}, '<b>thanks</b>')
  const number = await happen()
  expect(await send()).toBe(1)
  const { body = '', headers = {}, path } = scene.receiver.received[0] ?? ({} as Partial<ReceivedMessage>)
  expect(path).toBe('/hook')
  const told = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(told).toMatchObject({
    type: 'record.ended',
    timestamp: t.clock.now().toISOString(),
    data: { name: `Record ${number}`, sequence: 1, href: expect.stringContaining('/app/api/v1/enterprise/record/') },
  })
  const [delivery] = await log()
  expect(delivery).toMatchObject({ endpointId: id, state: 'delivered', attempts: 1, status: 202, isReplay: false })
  const detail = (await call('GET', `/deliveries/${delivery.id}`)).body.payload
  expect(detail).toMatchObject({ body, messageId: headers['webhook-id'] })
  expect(detail.attemptList).toMatchObject([{ n: 1, status: 202, error: null, answer: '<b>thanks</b>' }])
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type', 'user-agent'])
    expect(detail.attemptList[0].headers[name]).toBe(headers[name])
  expect((await call('GET', `/webhooks/${id}/deliveries`)).body.payload.meta.total).toBe(1)
})

test('while a secret is replaced both sign, and a receiver that has either is content', async () => {
  const { id, secret } = await endpoint()
  const { secret: fresh } = (await call('POST', `/webhooks/${id}/rotate`)).body.payload
  const verifies = (with_: string) => {
    const { body, headers } = scene.receiver.received.at(-1) ?? { body: '', headers: {} }
    try {
      return Boolean(new Webhook(with_).verify(body, headers as Record<string, string>))
    } catch {
      return false
    }
  }
  await happen()
  await send()
  expect([verifies(secret), verifies(fresh)]).toEqual([true, true])
  t.clock.advance(day + 1)
  await happen()
  await send()
  expect([verifies(secret), verifies(fresh)]).toEqual([false, true])
})

test('a server that was killed after sending sends again with the same id: at least once', async () => {
  const { id } = await endpoint()
  await happen()
  answerWith(200)
  await send()
  const [first] = await log()
  // As if it had been killed before it wrote what became of it.
  await t.change(
    scene.admin.companyId,
    `update webhook_deliveries set state = 'sending', next_at = $2, ended_at = null where company_id = $1 and id = $3`,
    [scene.admin.companyId, new Date(t.clock.now().getTime() + minute), first.id],
  )
  expect(await send()).toBe(0)
  t.clock.advance(minute)
  expect(await send()).toBe(1)
  expect(new Set(ids()).size).toBe(1)
  expect(await log()).toMatchObject([{ id: first.id, endpointId: id, state: 'delivered', attempts: 2 }])
})

test('two servers never have the same message at once', async () => {
  const { id } = await endpoint()
  await happen()
  await send()
  await happen()
  await happen()
  answerWith(200)
  const now = t.clock.now()
  await numberAll(t.services)
  const take = () =>
    asPipeline(t.pool, ({ tx }) =>
      takeMessage(tx, { companyId: scene.admin.companyId, endpointId: id }, now, new Date(now.getTime() + minute)),
    )
  const taken = await Promise.all([take(), take(), take(), take()])
  expect(taken.map((one) => one?.deliveryId ?? null).filter((one, n, all) => all.indexOf(one) === n)).toHaveLength(3)
})

test('a message that one server sends is taken by no other, where a machine is a minute ahead', async () => {
  t.clock.set(new Date())
  const { id: endpointId } = await endpoint()
  await happen()
  await numberAll(t.services)
  const takeBy = async (machineAheadMs: number) => {
    const machine = { now: () => new Date(Date.now() + machineAheadMs) }
    const clock = new DatabaseClock({ ask: askTime(t.pool), log: t.services.log, machine })
    await clock.measure()
    const leaseUntil = new Date(clock.now().getTime() + minute)
    const { companyId } = scene.admin
    return asPipeline(t.pool, ({ tx }) => takeMessage(tx, { companyId, endpointId }, clock.now(), leaseUntil))
  }
  expect(await takeBy(-minute)).toBeDefined()
  expect(await takeBy(minute)).toBeUndefined()
})

test('what is rolled back is told to nobody', async () => {
  await endpoint()
  const at = t.clock.now()
  await expect(
    inCompany(t, scene.admin.companyId, async ({ tx }) => {
      await noteEvents(tx, [
        {
          ...{ companyId: scene.admin.companyId, type: 'report.ready', key: 'gone', at },
          data: { reportId: '1', kind: 'device', format: 'pdf' },
        },
      ])
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect([await send(), await log()]).toEqual([0, []])
})

test('an event is told once, however often it is noted, and to those endpoints only that ask for it', async () => {
  await endpoint()
  await anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/orders`, events: ['order.started'] })
  const number = await happen()
  await happen(undefined, number)
  await send()
  expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('what is private is told to those endpoints only that an Admin lets see it, as it is when it is sent', async () => {
  const device = await aDevice(t, scene.admin)
  const hide = (visibility: string) =>
    t.change(scene.admin.companyId, 'update devices set visibility = $2 where company_id = $1 and id = $3', [
      ...[scene.admin.companyId, visibility, device.id],
    ])
  const open = await endpoint()
  await anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/all`, events, seesPrivate: true })
  await hide('private')
  await happen([device.id])
  await send()
  expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/all'])
  await hide('public')
  answerWith(500)
  await happen([device.id])
  await send()
  await hide('private')
  answerWith(200)
  scene.receiver.received.length = 0
  t.clock.advance(minute)
  await send()
  expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/all'])
  expect(await log(`?endpointId=${open.id}`)).toMatchObject([{ state: 'hidden', nextAt: null }])
})

test('an endpoint hears of private things while the Admin who let it is one; another Admin takes it over', async () => {
  const device = await aDevice(t, { ...scene.admin, visibility: 'private' })
  const maker = await buildUser(t, { company: scene.admin })
  const url = `${scene.receiver.url}/all`
  const { id } = await anEndpoint(t, maker, { url, events, seesPrivate: true })
  const standing = async () => (await call('GET', '/webhooks')).body.payload.data
  const told = async () => {
    scene.receiver.received.length = 0
    await happen([device.id])
    await send()
    return scene.receiver.received.length
  }
  const privateBy = { id: maker.id, name: maker.fullname }
  expect([await told(), await standing()]).toMatchObject([1, [{ seesPrivate: true, privateBy }]])
  answerWith(500)
  expect(await told()).toBe(1)
  await t.call('DELETE', `/users/${maker.id}`, { token: scene.admin.token })
  answerWith(200)
  t.clock.advance(minute)
  expect([await told(), await standing()]).toMatchObject([0, [{ seesPrivate: false, privateBy: null }]])
  expect((await log()).map(({ state }: { state: string }) => state)).toEqual(['hidden', 'delivered'])
  const saved = await call('PATCH', `/webhooks/${id}`, { version: 1, seesPrivate: true })
  expect(saved.body.payload).toMatchObject({ seesPrivate: true, privateBy: { id: scene.admin.id } })
  const changed = (await trailOf(t, scene.admin.companyId)).find(({ action }) => action === 'webhooks.changed')
  expect(changed).toMatchObject({ before: { admin: null }, after: { seesPrivate: true, admin: scene.admin.fullname } })
  expect(await told()).toBe(1)
  await t.change(scene.admin.companyId, `update users set role = 'staff' where id = $1`, [scene.admin.id])
  expect(await told()).toBe(0)
})

test('a message that is made in the moment in which its event is unticked is not sent, but by hand', async () => {
  const { companyId } = scene.admin
  await endpoint()
  await happen()
  // The numbering still sees the events of before.
  await inTenant(t.pool, companyId, async ({ client }) => {
    await client.query(`update webhook_endpoints set events = '{device.claimed}' where company_id = $1`, [companyId])
    await numberAll(t.services)
  })
  await send()
  const [made] = await log()
  expect([scene.receiver.received.length, made]).toMatchObject([0, { state: 'cancelled', nextAt: null }])
  await call('POST', `/deliveries/${made.id}/resend`)
  await send()
  expect(ids()).toEqual([made.messageId])
})

test('a test event goes to its endpoint alone, whatever that asks for', async () => {
  const { id } = await endpoint()
  await anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/other`, events })
  await call('POST', `/webhooks/${id}/test`)
  await send()
  expect(scene.receiver.received.map(({ path, body }) => [path, JSON.parse(body).type])).toEqual([
    ['/hook', 'webhook.test'],
  ])
})

test('a period is sent again as far as the endpoint asks for its events now; a message by itself as well', async () => {
  const { id } = await endpoint()
  const from = t.clock.now().toISOString()
  await happen()
  t.clock.advance(hour)
  const to = t.clock.now().toISOString()
  await happen()
  await send()
  const [second, first] = await log()
  const replayed = await call('POST', `/webhooks/${id}/replay`, { what: 'period', from, to })
  expect(replayed.body.payload).toEqual({ count: 1, isCut: false })
  await send()
  expect(ids().at(-1)).toBe(first.messageId)
  const again = (await call('POST', `/deliveries/${second.id}/resend`)).body.payload
  expect(again).toMatchObject({ messageId: second.messageId, isReplay: true, state: 'waiting' })
  await send()
  expect(ids().at(-1)).toBe(second.messageId)
  expect((await log('?state=delivered')).length).toBe(4)
  const bad = await call('POST', `/webhooks/${id}/replay`, { what: 'period', from: to, to: from })
  expect([bad.status, Object.keys(bad.body.fields)]).toEqual([422, ['from']])
})

test('another company’s message does not exist', async () => {
  await endpoint()
  await happen()
  await send()
  const [{ id }] = await log()
  const stranger = await buildUser(t)
  const answers = [
    await call('GET', `/deliveries/${id}`, undefined, stranger),
    await call('POST', `/deliveries/${id}/resend`, undefined, stranger),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  expect((await call('GET', '/deliveries', undefined, stranger)).body.payload.data).toEqual([])
})

test('an address that leads into a private network by now is not posted to', async () => {
  await endpoint()
  await happen()
  Object.assign(t.services.config, { webhookAllowPrivate: false })
  await send()
  Object.assign(t.services.config, { webhookAllowPrivate: true })
  expect(scene.receiver.received).toEqual([])
  const [delivery] = await log()
  const detail = (await call('GET', `/deliveries/${delivery.id}`)).body.payload
  expect(detail.attemptList).toMatchObject([{ status: null, error: 'refused', answer: null }])
})
