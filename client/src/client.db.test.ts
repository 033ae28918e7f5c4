import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../server/test/describe-app.ts'
import { aDevice } from '../../server/test/device-factory.ts'
import { buildUser } from '../../server/test/factories.ts'
import { Isotherm, IsothermError } from './client.ts'

const t = describeApp()

/** The product itself, on a port of loopback. */
async function product(token: string): Promise<Isotherm> {
  if (!t.app.server.listening) await t.app.listen({ host: '127.0.0.1', port: 0 })
  return new Isotherm({ baseUrl: addressOf(t.app.server.address()), key: token })
}

/** A server that answers as it is told, and hears the headers of each call. */
async function pretended(answers: ((response: ServerResponse) => void)[]) {
  const asked: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    asked.push(request.headers)
    request.resume()
    answers[Math.min(asked.length, answers.length) - 1]?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { client: new Isotherm({ baseUrl: addressOf(server.address()), key: 'k' }), asked }
}
const addressOf = (address: string | AddressInfo | null) => `http://127.0.0.1:${(address as AddressInfo).port}`
const json =
  (status: number, body: object, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

test('a list is read page after page, and a call answers its payload', async () => {
  const admin = await buildUser(t)
  const names = ['Fridge 1', 'Fridge 2', 'Fridge 3']
  for (const name of names) await aDevice(t, { companyId: admin.companyId, name })
  const isotherm = await product(admin.token)
  const found: string[] = []
  for await (const device of isotherm.pages('/devices', { query: { perPage: 2 } })) found.push(device.name)
  expect(found.sort()).toEqual(names)
  const made = await isotherm.post('/groups', { body: { name: 'Cold room', visibility: 'public' } })
  expect(made).toMatchObject({ name: 'Cold room' })
})

test('a call that answers a file gives the answer, also where the file is JSON', async () => {
  const admin = await buildUser(t)
  const isotherm = await product(admin.token)
  const checkpoints = await isotherm.get('/audit-log/checkpoints')
  expect(await checkpoints.json()).toMatchObject({ format: 'isotherm-audit-checkpoints-1' })
  const csv = await isotherm.get('/devices/export')
  expect(await csv.text()).toContain('"imei"')
})

test('a refused call throws the code, the sentence and the fields', async () => {
  const admin = await buildUser(t)
  const isotherm = await product(admin.token)
  const refused = await isotherm.get('/devices/{id}', { path: { id: '999999' } }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(IsothermError)
  expect(refused).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  const invalid = await isotherm.post('/groups', { body: { name: '' } }).catch((error: unknown) => error)
  expect(invalid).toMatchObject({ status: 422, code: 'VALIDATION', fields: { name: [expect.any(String)] } })
})

test('a busy server and a broken line are tried again with the same key', async () => {
  const { client, asked } = await pretended([
    json(503, { code: 'BUSY' }, { 'retry-after': '0.01' }),
    (response) => void response.socket?.destroy(),
    json(200, { success: true, payload: { id: '7' } }),
  ])
  expect(await client.post('/groups', { body: { name: 'A' } })).toEqual({ id: '7' })
  const keys = asked.map((headers) => headers['idempotency-key'])
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)])
})

test('what the server refuses is not tried again, and tries have an end', async () => {
  const refusing = await pretended([json(400, { code: 'LIMIT_REACHED', message: 'Full.' })])
  await expect(refusing.client.post('/groups', { body: { name: 'A' } })).rejects.toThrow('Full.')
  expect(refusing.asked).toHaveLength(1)
  const busy = await pretended([json(503, { code: 'BUSY' }, { 'retry-after': '0.01' })])
  await expect(busy.client.get('/devices')).rejects.toMatchObject({ code: 'BUSY' })
  expect(busy.asked).toHaveLength(4)
})

test('an aborted call ends at once, also while it waits', async () => {
  const { client } = await pretended([json(503, { code: 'BUSY' }, { 'retry-after': '30' })])
  const stop = new AbortController()
  const call = client.get('/devices', { signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
})

const cursor = (text: string, hasMore: boolean) => `${JSON.stringify({ cursor: text, hasMore, hidden: 0 })}\n`
const reading = (at: string) => `${JSON.stringify({ deviceId: '1', at })}\n`
const lines = (parts: string[], isWhole: boolean) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.write(parts.join(''), () => (isWhole ? response.end() : response.socket?.destroy()))
}

test('events are followed past those of other types, and a batch without events says that some are missing', async () => {
  const page = (next: string, more: object = {}) =>
    json(200, { payload: { data: [], next, hasMore: false, isIncomplete: false, since: '', ...more } })
  const { client } = await pretended([page('7'), page('7'), page('9', { isIncomplete: true }), page('9'), page('12')])
  const stop = new AbortController()
  const seen: [string, boolean][] = []
  const follow = async () => {
    for await (const { next, isIncomplete } of client.events({ after: '5', everyS: 0.01, signal: stop.signal })) {
      seen.push([next, isIncomplete])
      if (next === '12') stop.abort()
    }
  }
  await expect(follow()).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual([
    ['7', false],
    ['9', true],
    ['12', false],
  ])
})

test('an export that breaks off goes on at its last cursor, and what came after that comes once', async () => {
  const { client, asked } = await pretended([
    lines([reading('a'), cursor('1', true), reading('b'), '{"deviceId":"1"'], false),
    lines([], false),
    lines([reading('b'), reading('c'), cursor('2', false)], true),
  ])
  const seen = []
  for await (const batch of client.readings({ once: true }))
    seen.push([batch.cursor, ...batch.readings.map(({ at }) => at)])
  expect(seen).toEqual([
    ['1', 'a'],
    ['2', 'b', 'c'],
  ])
  expect(asked).toHaveLength(3)
})

test('an export follows what arrives until it is aborted', async () => {
  const { client } = await pretended([
    lines([reading('a'), cursor('1', false)], true),
    lines([cursor('1', false)], true),
    lines([reading('b'), cursor('2', false)], true),
  ])
  const stop = new AbortController()
  const seen: string[] = []
  const follow = async () => {
    for await (const { readings } of client.readings({ everyS: 0.01, signal: stop.signal })) {
      seen.push(...readings.map(({ at }) => at))
      if (seen.length === 2) stop.abort()
    }
  }
  await expect(follow()).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual(['a', 'b'])
})
