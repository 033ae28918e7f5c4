import { openReceiver, type ReceivedMessage, type Receiver } from '@isotherm/simulator/webhooks/receiver.ts'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { anEndpoint, sendAllDue } from '../../../test/webhook-factory.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { takeMessage } from './send-queries.ts'
import { numberAll } from './webhook-sender.ts'

const t = describeApp({ webhookAllowPrivate: true })

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let admin: TestUser
let receiver: Receiver
beforeEach(async () => {
  admin = await buildUser(t)
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const events = ['device.claimed', 'record.ended']
const endpoint = (values: object = {}) => anEndpoint(t, admin, { url: `${receiver.url}/hook`, events, ...values })
const answerWith = (status: number, headers: Record<string, string> = {}, body = '') => {
  receiver.answer = () => ({ status, headers, body })
}

let count = 0
/** Something that an endpoint is told of. */
function happen(deviceIds?: number[], companyId = admin.companyId) {
  count += 1
  const at = t.clock.now()
  const times = { startAt: at.toISOString(), endAt: at.toISOString() }
  return inCompany(t, companyId, ({ tx }) =>
    noteEvents(tx, [
      {
        ...{ companyId, type: 'record.ended', key: String(count), at, ...(deviceIds && { deviceIds }) },
        data: { recordId: String(count), name: `Record ${count}`, endedBy: 'hand', ...times },
      },
    ]),
  )
}
const send = () => sendAllDue(t.services)
const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, user = admin) =>
  t.call(method, `/developer${path}`, { token: user.token, ...(body && { body }) })
const log = async (query = '') => (await call('GET', `/deliveries${query}`)).body.payload.data
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])

test('a message is signed by Standard Webhooks, and its log has what was sent and answered', async () => {
  const { id, secret } = await endpoint()
  answerWith(202, {}, '<b>thanks</b>')
  await happen()
  expect(await send()).toBe(1)
  const { body = '', headers = {}, path } = receiver.received[0] ?? ({} as Partial<ReceivedMessage>)
  expect(path).toBe('/hook')
  const told = new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(told).toMatchObject({
    type: 'record.ended',
    timestamp: t.clock.now().toISOString(),
    data: { name: `Record ${count}`, sequence: 1, href: expect.stringContaining('/app/api/v1/enterprise/record/') },
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
    const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} }
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
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await log()).toMatchObject([{ state: 'waiting', attempts: 1, status }])
  answerWith(200)
  t.clock.advance(6_001)
  expect(await send()).toBe(1)
  expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2, status: 200 }])
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
  const other = await anEndpoint(t, admin, { url: `${receiver.url}/other`, events })
  receiver.answer = ({ path }) => ({ status: path === '/hook' ? 410 : 204 })
  await happen()
  await happen()
  await send()
  await t.runJobs()
  const [gone, fine] = (await call('GET', '/webhooks')).body.payload.data
  expect([gone, fine]).toMatchObject([
    { id, state: 'disabled', reason: 'gone', waiting: 0 },
    { id: other.id, state: 'on', reason: null },
  ])
  const mine = await log(`?endpointId=${id}`)
  expect(mine.map(({ state }: { state: string }) => state)).toEqual(['cancelled', 'cancelled'])
  const mail = (await t.mails()).find(({ to }) => to === admin.email)
  expect(mail?.subject).toContain('it answered that it is gone')
  const lines = (await t.call('GET', '/enterprise/notifications', { token: admin.token, query: { kind: 'webhook' } }))
    .body
  expect(lines.payload.data).toMatchObject([{ kind: 'webhook', severity: 'warning' }])
  await happen()
  expect([await send(), (await log(`?endpointId=${id}`)).length]).toEqual([1, 2])
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
  const subjects = (await t.mails()).filter(({ to }) => to === admin.email).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('have not arrived for a day'))).toHaveLength(1)
  expect(subjects.filter((subject) => subject.includes('nothing arrived for five days'))).toHaveLength(1)
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' })).body.code).toBe('ENDPOINT_OFF')
  const fresh = await buildUser(t, { company: admin })
  const on = await call('PATCH', `/webhooks/${id}`, { version: row.version, state: 'on' }, fresh)
  expect(on.body.payload).toMatchObject({ state: 'on', reason: null, failingSince: null })
  answerWith(200)
  receiver.received.length = 0
  const before = new Set((await log('?perPage=200')).map(({ messageId }: { messageId: string }) => messageId))
  const replayed = (await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.payload
  expect(replayed).toEqual({ count: before.size, isCut: false })
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.code).toBe('REPLAY_UNDER_WAY')
  await send()
  expect(new Set(ids())).toEqual(before)
  expect((await call('POST', `/webhooks/${id}/replay`, { what: 'failed' }, fresh)).body.payload.count).toBe(0)
})

test('a server that was killed after sending sends again with the same id: at least once', async () => {
  const { id } = await endpoint()
  await happen()
  answerWith(200)
  await send()
  const [first] = await log()
  // As if it had been killed before it wrote what became of it.
  await t.change(
    admin.companyId,
    `update webhook_deliveries set state = 'sending', next_at = $2, ended_at = null where company_id = $1 and id = $3`,
    [admin.companyId, new Date(t.clock.now().getTime() + minute), first.id],
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
      takeMessage(tx, { companyId: admin.companyId, endpointId: id }, now, new Date(now.getTime() + minute)),
    )
  const taken = await Promise.all([take(), take(), take(), take()])
  expect(taken.map((one) => one?.deliveryId ?? null).filter((one, n, all) => all.indexOf(one) === n)).toHaveLength(3)
})

test('what is rolled back is told to nobody', async () => {
  await endpoint()
  const at = t.clock.now()
  await expect(
    inCompany(t, admin.companyId, async ({ tx }) => {
      await noteEvents(tx, [
        {
          ...{ companyId: admin.companyId, type: 'report.ready', key: 'gone', at },
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
  await anEndpoint(t, admin, { url: `${receiver.url}/orders`, events: ['order.started'] })
  await happen()
  count -= 1
  await happen()
  await send()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('what is private is told to those endpoints only that an Admin lets see it, as it is when it is sent', async () => {
  const device = await aDevice(t, admin)
  const hide = (visibility: string) =>
    t.change(admin.companyId, 'update devices set visibility = $2 where company_id = $1 and id = $3', [
      ...[admin.companyId, visibility, device.id],
    ])
  const open = await endpoint()
  await anEndpoint(t, admin, { url: `${receiver.url}/all`, events, seesPrivate: true })
  await hide('private')
  await happen([device.id])
  await send()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/all'])
  await hide('public')
  answerWith(500)
  await happen([device.id])
  await send()
  await hide('private')
  answerWith(200)
  receiver.received.length = 0
  t.clock.advance(minute)
  await send()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/all'])
  expect(await log(`?endpointId=${open.id}`)).toMatchObject([{ state: 'hidden', nextAt: null }])
})

test('a test event goes to its endpoint alone, whatever that asks for', async () => {
  const { id } = await endpoint()
  await anEndpoint(t, admin, { url: `${receiver.url}/other`, events })
  await call('POST', `/webhooks/${id}/test`)
  await send()
  expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).type])).toEqual([['/hook', 'webhook.test']])
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
  expect(receiver.received).toEqual([])
  const [delivery] = await log()
  const detail = (await call('GET', `/deliveries/${delivery.id}`)).body.payload
  expect(detail.attemptList).toMatchObject([{ status: null, error: 'refused', answer: null }])
})
