import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { requestGuarded } from '../net/guarded-request.ts'
import { isInner, postWebhook } from './webhook.ts'

// The machine's resolver, unless a test says what a name resolves to.
const resolver = vi.hoisted(
  (): { lookup: ((name: string) => Promise<{ address: string; family: number }[]>) | undefined } => ({
    lookup: undefined,
  }),
)
vi.mock('../net/resolve-name.ts', async (original) => {
  const real = await original<typeof import('../net/resolve-name.ts')>()
  return {
    ...real,
    resolveName: (...of: Parameters<typeof real.resolveName>) => (resolver.lookup ?? real.resolveName)(...of),
  }
})

let location = '/elsewhere'
let url: string
let asked: { path: string; headers: Record<string, unknown>; body: string }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    asked.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(Number(request.url?.slice(1)) || 200, { location })
    // Without end: whoever reads it all never comes back.
    response.write('x')
  })
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((done) => server.close(done))
})
const signing = { key: 'opened 1', secret: Buffer.alloc(32, 7), allowPrivate: false }

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::7f00:1',
  '::a00:1',
  '192.88.99.1',
  '5f00::1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:a00:1::',
  'fec0::1',
])('%s is an address of our own', (address) => {
  expect(isInner(address)).toBe(true)
})
test.each(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])('%s is somebody else’s', (address) => {
  expect(isInner(address)).toBe(false)
})

test.each([
  'https://127.0.0.1/',
  'https://localhost/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
])('%s is refused for good', async (address) => {
  expect(await postWebhook(address, '{}', signing)).toEqual({
    ok: false,
    reason: 'the address cannot be reached',
  })
})

const resolving = (...answers: { address: string; family: number }[][]) => {
  const asked: string[] = []
  resolver.lookup = async (name) => {
    asked.push(name)
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  }
  onTestFinished(() => {
    resolver.lookup = undefined
  })
  return asked
}
const at = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 })

test.each([
  [['10.0.0.5']],
  [['169.254.169.254']],
  [['fd00::5']],
  [['::ffff:192.168.1.1']],
  // One inner address among others is enough: the system might choose it.
  [['93.184.216.34', '127.0.0.1']],
])('a public name that resolves to %j is refused for good, once it has been resolved', async (addresses) => {
  const names = resolving(addresses.map(at))
  expect(await postWebhook('https://hooks.example.test/', '{}', signing)).toEqual({
    ok: false,
    reason: 'the address cannot be reached',
  })
  expect(names).toEqual(['hooks.example.test'])
})

test('a name that changes its mind after it was judged leads nowhere else: it is resolved once, and that address is called', async () => {
  // Judged as ours, where that is allowed; whoever asked again would be sent to an address that refuses connections.
  const names = resolving([at('127.0.0.1')], [at('127.0.0.2')])
  asked = []
  const port = new URL(url).port
  const rebinding = `http://rebinding.example.test:${port}/200`
  expect(await postWebhook(rebinding, '{}', { ...signing, allowPrivate: true })).toMatchObject({ ok: true })
  expect(names).toEqual(['rebinding.example.test'])
  expect(asked.map(({ headers }) => headers.host)).toEqual([`rebinding.example.test:${port}`])
  // The next message judges anew: a name that has become private is refused then.
  resolving([at('127.0.0.1')])
  expect(await postWebhook(rebinding.replace('http:', 'https:'), '{}', signing)).toMatchObject({ ok: false })
})

test('a redirect to a private address is not followed, however it is worded', async () => {
  for (const to of ['http://169.254.169.254/latest/meta-data', '//127.0.0.1/', `${url}/inner`]) {
    location = to
    asked = []
    const answer = await postWebhook(`${url}/307`, '{}', { ...signing, allowPrivate: true })
    expect(answer).toEqual({ ok: false, reason: 'the webhook answered 307' })
    expect(asked.map(({ path }) => path)).toEqual(['/307'])
  }
})

test('plain http is refused', async () => {
  expect(await postWebhook('http://93.184.216.34/', '{}', signing)).toEqual({ ok: false, reason: 'https is needed' })
})

test('a library of Standard Webhooks verifies it with the same key, which tells repetitions by the id', async () => {
  const key = `whsec_${randomBytes(32).toString('base64')}`
  const post = (name: string) =>
    postWebhook(`${url}/200`, '{"a":1}', { key: name, secret: Buffer.from(key), allowPrivate: true })
  const ids: unknown[] = []
  for (const name of ['opened 1.5', 'opened 1.5', 'opened 2']) {
    await post(name)
    const { headers, body } = asked.at(-1) as (typeof asked)[number]
    expect(new Webhook(key).verify(body, headers as Record<string, string>)).toEqual({ a: 1 })
    ids.push(headers['webhook-id'])
  }
  expect([ids[0] === ids[1], ids[0] === ids[2], String(ids).includes('.')]).toEqual([true, false, false])
})

test('on a LAN that allows it, it is posted with key, time and signature', async () => {
  asked = []
  expect(await postWebhook(`${url}/200`, '{"a":1}', { ...signing, allowPrivate: true })).toMatchObject({ ok: true })
  const [{ headers, body } = { headers: {} as Record<string, unknown>, body: '' }] = asked
  const signature = createHmac('sha256', signing.secret)
    .update(`${headers['x-isotherm-timestamp']}.${body}`)
    .digest('hex')
  expect(headers['x-isotherm-signature']).toBe(`sha256=${signature}`)
  expect(Buffer.from(String(headers['idempotency-key']), 'base64url').toString()).toBe('opened 1')
})

test('a redirect is not followed, a refusal is final, trouble of theirs is not', async () => {
  const at = (status: number) => postWebhook(`${url}/${status}`, '{}', { ...signing, allowPrivate: true })
  asked = []
  expect(await at(302)).toEqual({ ok: false, reason: 'the webhook answered 302' })
  expect(asked.map(({ path }) => path)).toEqual(['/302'])
  expect(await at(410)).toMatchObject({ ok: false })
  for (const status of [429, 500, 503]) await expect(at(status)).rejects.toThrow(String(status))
})

test('a receiver that changes the protocol has answered, and holds nobody up', async () => {
  const changing = createServer(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  await new Promise<void>((done) => changing.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    changing.closeAllConnections()
    changing.close()
  })
  const address = `http://127.0.0.1:${(changing.address() as AddressInfo).port}/`
  expect(await postWebhook(address, '{}', { ...signing, allowPrivate: true })).toEqual({
    ok: false,
    reason: 'the webhook answered 101',
  })
  const asked = { method: 'GET', url: address, headers: {}, allowPrivate: true, timeoutMs: 20_000 } as const
  expect(await requestGuarded(asked)).toMatchObject({ status: 101, text: '' })
})

test('a name that does not exist, an inner address and a refused connection read alike (L12)', async () => {
  const reasonOf = (address: string) =>
    postWebhook(address, '{}', signing).then(
      (posted) => (posted.ok ? 'posted' : posted.reason),
      (error: Error) => error.message,
    )
  const taken = new URL(url).port
  resolver.lookup = async (name) => {
    if (name === 'gone.example.test') throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    return [{ address: '10.0.0.1', family: 4 }]
  }
  onTestFinished(() => {
    resolver.lookup = undefined
  })
  const reasons = [await reasonOf('https://gone.example.test/'), await reasonOf('https://inner.example.test/')]
  // Nothing but plain http is spoken there: the connection fails.
  const refused = postWebhook(`https://127.0.0.1:${taken}/`, '{}', { ...signing, allowPrivate: true })
  reasons.push(
    await refused.then(
      () => 'posted',
      (error: Error) => error.message,
    ),
  )
  expect(reasons).toEqual(Array(3).fill('the address cannot be reached'))
})
