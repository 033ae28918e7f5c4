import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openReceiver } from '@isotherm/simulator/webhooks/receiver.ts'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildUser } from '../../../test/factories.ts'
import { lockWaits } from '../../../test/lock-waits.ts'
import { trailOf } from '../../../test/trail.ts'
import { anEndpoint } from '../../../test/webhook-factory.ts'
import { describeWebhooks, events } from '../../../test/webhook-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const { t, scene, call, answerWith, happen, endpoint, send, log, ids } = describeWebhooks()

const [hour, day] = [3_600_000, 86_400_000]

test('what is not answered with 2xx is tried again by the schedule, with the same id, and given up after ten attempts', async () => {
  await endpoint()
  answerWith(500)
  await happen()
  let attempts = 0
  for (let hours = 0; hours < 24 * 5; hours++) {
    attempts += await send()
    t.clock.advance(hour)
  }
  expect([attempts, new Set(ids()).size]).toEqual([10, 1])
  const [delivery] = await log()
  expect(delivery).toMatchObject({ state: 'failed', attempts: 10, nextAt: null, status: 500 })
})

test.each([
  ['a redirect is no success and is not followed', 302, { location: '/elsewhere' }],
  ['a refusal is tried again', 404, {}],
])('%s', async (_, status, headers) => {
  await endpoint()
  answerWith(status, headers)
  await happen()
  await send()
  expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await log()).toMatchObject([{ state: 'waiting', attempts: 1, status }])
  answerWith(200)
  t.clock.advance(6_001)
  expect(await send()).toBe(1)
  expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2, status: 200 }])
})

/** Has the deadline of an attempt come after a moment. */
function hurry() {
  const { timeout } = AbortSignal
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(2_000))
  onTestFinished(() => spy.mockRestore())
}

test('the log says so where no answer came in time, and where there was nobody to answer', async () => {
  const { id } = await endpoint()
  const beginning = createServer((_, response) => void response.writeHead(200).write('{'))
  await once(beginning.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    beginning.closeAllConnections()
    beginning.close()
  })
  const gone = await openReceiver()
  await gone.close()
  const slow = `http://127.0.0.1:${(beginning.address() as AddressInfo).port}/`
  const others = [
    await anEndpoint(t, scene.admin, { url: slow, events }),
    await anEndpoint(t, scene.admin, { url: gone.url, events }),
  ]
  scene.receiver.answer = () => ({ status: 200, hangs: true })
  hurry()
  await happen()
  await send()
  const errors = []
  for (const one of [id, ...others.map((other) => other.id)]) {
    const [delivery] = await log(`?endpointId=${one}`)
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, status: null })
    const { attemptList } = (await call('GET', `/deliveries/${delivery.id}`)).body.payload
    errors.push(attemptList[0].error)
  }
  expect(errors).toEqual(['timeout', 'timeout', 'unreachable'])
})

test('Retry-After is heeded, up to a day', async () => {
  await endpoint()
  answerWith(429, { 'retry-after': '7200' })
  await happen()
  await send()
  const next = async () => Date.parse((await log())[0].nextAt) - t.clock.now().getTime()
  expect(await next()).toBe(2 * hour)
  t.clock.advance(2 * hour - 1)
  expect(await send()).toBe(0)
  t.clock.advance(1)
  answerWith(503, { 'retry-after': '999999999' })
  await send()
  expect(await next()).toBe(day)
})

test('an endpoint that answers 410 is disabled at once: what waits is cancelled, and the Admins are told', async () => {
  const { id } = await endpoint()
  const other = await anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/other`, events })
  scene.receiver.answer = ({ path }) => ({ status: path === '/hook' ? 410 : 204 })
  await happen()
  await happen()
  await send()
  await t.runJobs()
  const [gone, fine] = (await call('GET', '/webhooks')).body.payload.data
  expect([gone, fine]).toMatchObject([
    { id, state: 'disabled', reason: 'gone', waiting: 0 },
    { id: other.id, state: 'on', reason: null },
  ])
  expect(
    (await trailOf(t, scene.admin.companyId)).filter(({ action }) => action === 'webhooks.disabled'),
  ).toMatchObject([
    {
      ...{ actor: { kind: 'system', name: 'webhooks' }, target: { kind: 'webhookEndpoint', id } },
      ...{ before: { state: 'on' }, after: { state: 'disabled', reason: 'gone' } },
    },
  ])
  const mine = await log(`?endpointId=${id}`)
  expect(mine.map(({ state }: { state: string }) => state)).toEqual(['cancelled', 'cancelled'])
  const mail = (await t.mails()).find(({ to }) => to === scene.admin.email)
  expect(mail?.subject).toContain('it answered that it is gone')
  const lines = (
    await t.call('GET', '/enterprise/notifications', { token: scene.admin.token, query: { kind: 'webhook' } })
  ).body
  expect(lines.payload.data).toMatchObject([{ kind: 'webhook', severity: 'warning' }])
  await happen()
  expect([await send(), (await log(`?endpointId=${id}`)).length]).toEqual([1, 2])
})

const subjects = async () =>
  (await t.mails()).filter(({ to }) => to === scene.admin.email).map(({ subject }) => subject)
const warning = expect.stringContaining('have not arrived for a day')
/** So many messages, each with an attempt that fails; the next one of each is a day later. */
async function fail(messages: number) {
  answerWith(503, { 'retry-after': '86400' })
  for (let n = 0; n < messages; n++) await happen()
  await send()
}

test('Admins are told of an endpoint once it has failed for a day, however often it fails before', async () => {
  await endpoint()
  await fail(12)
  t.clock.advance(day - 1)
  await fail(1)
  expect(await subjects()).toEqual([])
  t.clock.advance(1)
  await fail(0)
  expect(await subjects()).toEqual([warning])
  t.clock.advance(hour)
  await fail(3)
  expect(await subjects()).toEqual([warning])
})

test('Admins are told of an endpoint once ten attempts have failed, however long that takes', async () => {
  await endpoint()
  await fail(1)
  t.clock.advance(day)
  // The one of yesterday, too.
  await fail(7)
  t.clock.advance(hour)
  expect(await subjects()).toEqual([])
  await fail(1)
  expect(await subjects()).toEqual([warning])
})

test('a message that arrives, and being switched on again, begins the count anew', async () => {
  const { id } = await endpoint()
  await fail(9)
  t.clock.advance(day)
  answerWith(204)
  await send()
  await fail(4)
  t.clock.advance(day)
  await fail(0)
  expect(await subjects()).toEqual([])
  const fresh = await buildUser(t, { company: scene.admin })
  const turn = async (version: number, state: string) =>
    (await call('PATCH', `/webhooks/${id}`, { version, state }, fresh)).status
  expect([await turn(1, 'off'), await turn(2, 'on')]).toEqual([200, 200])
  await fail(1)
  t.clock.advance(day)
  await fail(0)
  expect(await subjects()).toEqual([])
  await fail(4)
  expect(await subjects()).toEqual([warning])
})

test('failures of an address do not count against the next one', async () => {
  const { id } = await endpoint()
  await fail(10)
  t.clock.advance(5 * day)
  const fresh = await buildUser(t, { company: scene.admin })
  const change = { version: 1, url: `${scene.receiver.url}/moved` }
  expect((await call('PATCH', `/webhooks/${id}`, change, fresh)).body.payload).toMatchObject({ failingSince: null })
  await fail(1)
  expect((await call('GET', '/webhooks', undefined, fresh)).body.payload.data).toMatchObject([{ id, state: 'on' }])
  expect(await subjects()).toEqual([])
})

/** An endpoint whose server has it moved to another address before it answers what it was sent. */
async function movedMeanwhile(status: number) {
  const leaving = createServer(async (_, response) => {
    await call('PATCH', `/webhooks/${id}`, { version: 1, url: `${scene.receiver.url}/moved` })
    response.writeHead(status).end()
  })
  await once(leaving.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void leaving.close())
  const { id } = await endpoint({ url: `http://127.0.0.1:${(leaving.address() as AddressInfo).port}/` })
  return id
}

test.each([410, 503])('what the address of before answers, %i, does not count against the next one', async (status) => {
  const id = await movedMeanwhile(status)
  await happen()
  expect(await send()).toBe(1)
  const endpoints = (await call('GET', '/webhooks')).body.payload.data
  expect(endpoints).toMatchObject([{ id, state: 'on', failingSince: null }])
  t.clock.advance(hour)
  expect([await send(), scene.receiver.received.map(({ path }) => path)]).toEqual([1, ['/moved']])
})

test('what the address of before took does not say that the next one takes anything', async () => {
  const id = await movedMeanwhile(204)
  await happen()
  await send()
  expect((await call('GET', '/webhooks')).body.payload.data).toMatchObject([{ id, lastDeliveredAt: null }])
})

test('the outcome of a message waits for who changes its endpoint and what waits for it, and neither stops the other', async () => {
  const { id } = await endpoint()
  answerWith(500)
  await happen()
  const { companyId } = scene.admin
  const sending = await inTenant(t.pool, companyId, async ({ client }) => {
    await client.query('select from webhook_endpoints where company_id = $1 for no key update', [companyId])
    const outcome = send()
    await lockWaits(t.pool)
    await client.query(`update webhook_deliveries set state = 'cancelled', next_at = null where company_id = $1`, [
      companyId,
    ])
    return { outcome }
  })
  expect(await sending.outcome).toBe(1)
  expect(await log(`?endpointId=${id}`)).toMatchObject([{ state: 'cancelled', attempts: 1, status: 500 }])
})

test('an endpoint is disabled once it has failed for five days, and not before', async () => {
  const { id } = await endpoint()
  const standing = async () => {
    const fresh = await buildUser(t, { company: scene.admin })
    return (await call('GET', '/webhooks', undefined, fresh)).body.payload.data
  }
  await fail(1)
  t.clock.advance(5 * day - 1)
  await fail(1)
  expect(await standing()).toMatchObject([{ id, state: 'on' }])
  t.clock.advance(1)
  await fail(1)
  expect(await standing()).toMatchObject([{ id, state: 'disabled', reason: 'failing', waiting: 0 }])
})

test('who fails for a day is told of, for five days is disabled; switched on again, what failed can be sent again', async () => {
  const { id } = await endpoint()
  answerWith(500)
  for (let hours = 0; hours <= 24 * 5 + 2; hours++) {
    if (hours % 12 === 0) await happen()
    await send()
    t.clock.advance(hour)
  }
  await t.runJobs()
  const [row] = (await call('GET', '/webhooks')).body.payload.data
  expect(row).toMatchObject({ state: 'disabled', reason: 'failing' })
  expect(await subjects()).toEqual([warning, expect.stringContaining('nothing arrived for five days')])
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' })).body.code).toBe('ENDPOINT_OFF')
  const fresh = await buildUser(t, { company: scene.admin })
  const on = await call('PATCH', `/webhooks/${id}`, { version: row.version, state: 'on' }, fresh)
  expect(on.body.payload).toMatchObject({ state: 'on', reason: null, failingSince: null })
  answerWith(200)
  scene.receiver.received.length = 0
  const before = new Set((await log('?perPage=200')).map(({ messageId }: { messageId: string }) => messageId))
  const replayed = (await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.payload
  expect(replayed).toEqual({ count: before.size, isCut: false })
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.code).toBe('REPLAY_UNDER_WAY')
  await send()
  expect(new Set(ids())).toEqual(before)
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.payload.count).toBe(0)
})

test('an endpoint that asks for fewer events gets none of the others any more, neither what waits nor what failed', async () => {
  const { id } = await endpoint()
  answerWith(500)
  await happen()
  await happen()
  expect((await call('POST', `/webhooks/${id}/test`)).status).toBe(200)
  await send()
  const [{ version }] = (await call('GET', '/webhooks')).body.payload.data
  expect((await call('PATCH', `/webhooks/${id}`, { version, events: ['device.claimed'] })).status).toBe(200)
  const states = async () =>
    (await log()).map(({ type, state }: { type: string; state: string }) => [type, state]).sort()
  expect(await states()).toEqual([
    ['record.ended', 'cancelled'],
    ['record.ended', 'cancelled'],
    ['webhook.test', 'waiting'],
  ])
  answerWith(200)
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' })).body.payload.count).toBe(0)
  scene.receiver.received.length = 0
  t.clock.advance(hour)
  await send()
  expect(scene.receiver.received).toHaveLength(1)
})

test('where the key of its secret is lost nothing is sent, the Admins are told, and a new secret mends it', async () => {
  const { id } = await endpoint()
  // As with a database that was restored without its secret.key.
  const { secret: key } = t.services
  Object.assign(t.services, { secret: randomBytes(32) })
  onTestFinished(() => void Object.assign(t.services, { secret: key }))
  const other = await anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/other`, events })
  answerWith(204)
  await happen()
  await happen()
  expect(await send()).toBe(4)
  expect(scene.receiver.received.map(({ path }) => path)).toEqual(['/other', '/other'])
  expect(await log(`?endpointId=${other.id}&state=delivered`)).toHaveLength(2)
  const waiting = await log(`?endpointId=${id}`)
  expect(waiting).toMatchObject(Array(2).fill({ state: 'waiting', attempts: 1, status: null }))
  const attemptsOf = async (delivery: string) => (await call('GET', `/deliveries/${delivery}`)).body.payload.attemptList
  expect(await attemptsOf(waiting[0].id)).toMatchObject([{ error: 'unsigned', answer: null, headers: {} }])
  expect(await subjects()).toEqual([expect.stringContaining('their secret can no longer be opened')])
  const lines = await t.call('GET', '/enterprise/notifications', {
    ...{ token: scene.admin.token, query: { kind: 'webhook' } },
  })
  expect(lines.body.payload.data).toMatchObject([{ kind: 'webhook', severity: 'warning' }])

  const { secret } = (await call('POST', `/webhooks/${id}/rotate`)).body.payload
  scene.receiver.received.length = 0
  t.clock.advance(7_000)
  expect(await send()).toBe(2)
  for (const { body, headers } of scene.receiver.received)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'record.ended' })
  expect(await log(`?endpointId=${id}&state=delivered`)).toHaveLength(2)
  expect(await attemptsOf(waiting[0].id)).toMatchObject([{ error: 'unsigned' }, { status: 204, error: null }])
})

test('two secrets that were lost do not stand in the way of a new one', async () => {
  const { id } = await endpoint()
  await call('POST', `/webhooks/${id}/rotate`)
  expect((await call('POST', `/webhooks/${id}/rotate`)).body.code).toBe('KEY_JUST_ROTATED')
  const { secret: key } = t.services
  Object.assign(t.services, { secret: randomBytes(32) })
  onTestFinished(() => void Object.assign(t.services, { secret: key }))
  expect((await call('POST', `/webhooks/${id}/rotate`)).status).toBe(200)
  expect((await call('POST', `/webhooks/${id}/rotate`)).status).toBe(200)
  expect((await call('POST', `/webhooks/${id}/rotate`)).body.code).toBe('KEY_JUST_ROTATED')
})
