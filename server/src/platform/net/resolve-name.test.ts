import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type NameServer, openNameServer } from '../../../test/name-server.ts'
import { postWebhook } from '../messaging/webhook.ts'
import { requestGuarded } from './guarded-request.ts'
import { fullNames, readHosts, readSearch } from './machine-names.ts'
import { resolveName } from './resolve-name.ts'

// The resolver is the real one; the name server that it asks is ours.
const at = vi.hoisted(() => ({ address: '' }))
vi.mock('node:dns/promises', async (original) => {
  const real = await original<typeof import('node:dns/promises')>()
  class Resolver extends real.Resolver {
    constructor(...of: ConstructorParameters<typeof real.Resolver>) {
      super(...of)
      this.setServers([at.address])
    }
  }
  return { ...real, Resolver }
})

let names: NameServer
beforeEach(async () => {
  names = await openNameServer()
  at.address = names.address
})
afterEach(() => names.close())

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end(request.headers.host))
})
let port: number
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const soon = () => AbortSignal.timeout(30_000)
const deliver = (host: string, timeoutMs: number) =>
  requestGuarded({
    ...{ method: 'POST', url: `http://${host}:${port}/`, headers: {}, body: '{}', allowPrivate: true, timeoutMs },
  })
const timed = async (work: Promise<unknown>) => {
  const begun = performance.now()
  const outcome = await work.catch((error: Error) => error)
  return { tookMs: performance.now() - begun, outcome }
}

test('a delivery whose name server never answers ends at its deadline', async () => {
  const { tookMs, outcome } = await timed(deliver('dead.example.test', 1_500))
  expect(outcome).toMatchObject({ name: 'TimeoutError' })
  expect(tookMs).toBeGreaterThan(1_400)
  // The resolver alone would try for longer than that.
  expect(tookMs).toBeLessThan(4_000)
  await expect.poll(() => names.asked.toSorted()).toEqual(['A dead.example.test', 'AAAA dead.example.test'])
})

test('deliveries that wait for a dead name server hold up neither files nor other deliveries', async () => {
  const ended = vi.fn()
  const waiting = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => deliver(`dead${n}.example.test`, 5_500).catch(ended)))
  await vi.waitFor(() => expect(names.asked.length).toBeGreaterThanOrEqual(16), 30_000)
  await readFile(import.meta.filename)
  const others = await Promise.all([deliver('localhost', 30_000), deliver('127.0.0.1', 30_000)])
  expect(others).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(ended).not.toHaveBeenCalled()
  await waiting
  expect(ended).toHaveBeenCalledTimes(8)
})

test('a name leads to the address that its name server says, and to no other where that is not allowed', async () => {
  names.answer = (name) => (name === 'inner.example.test' ? ['127.0.0.1'] : [])
  expect(await deliver('inner.example.test', 30_000)).toMatchObject({ status: 200, text: `inner.example.test:${port}` })
  const signing = { key: '1', secret: Buffer.alloc(32), allowPrivate: false }
  const posted = await postWebhook('https://inner.example.test/', '{}', signing)
  expect(posted).toEqual({ ok: false, reason: 'the address cannot be reached' })
  await expect(deliver('gone.example.test', 30_000)).rejects.toThrow('the address cannot be reached')
})

test('where the first address of a name does not answer, the next one is asked', async () => {
  // Nothing listens at the first one.
  names.answer = () => ['127.0.0.9', '127.0.0.1']
  expect(await deliver('two.example.test', 30_000)).toMatchObject({ status: 200 })
})

test('localhost is this machine, in any spelling, and no name server is asked', async () => {
  for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'app.localhost']) {
    const [first] = await resolveName(name, soon())
    expect(first).toEqual({ address: '127.0.0.1', family: 4 })
  }
  expect(names.asked).toEqual([])
})

test('an aborted look-up asks nobody', async () => {
  await expect(resolveName('dead.example.test', AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  expect(names.asked).toEqual([])
})

test('a file of hosts has several names in a line, and several lines of a name', () => {
  const text =
    '# names\n127.0.0.1\tlocalhost\n10.0.0.7  ERP.example.test erp # ours\nfe80::1%lo0 erp\nnonsense erp\n::1 localhost\n'
  const hosts = readHosts(text)
  expect(Object.fromEntries(hosts)).toEqual({
    localhost: ['127.0.0.1', '::1'],
    'erp.example.test': ['10.0.0.7'],
    erp: ['10.0.0.7', 'fe80::1'],
  })
})

test.each([
  ['search a.test b.test.\noptions ndots:2 timeout:1', 'x.y', ['x.y.a.test', 'x.y.b.test', 'x.y']],
  ['search a.test b.test\noptions ndots:2', 'x.y.z', ['x.y.z', 'x.y.z.a.test', 'x.y.z.b.test']],
  ['domain a.test # ours', 'erp', ['erp.a.test', 'erp']],
  ['search a.test', 'erp.', ['erp']],
  ['search .\nnameserver 10.0.0.1', 'erp', ['erp']],
  ['', 'hooks.example.test', ['hooks.example.test']],
])('a short name is completed as %j says: %s', (text, name, full) => {
  expect(fullNames(name, readSearch(text))).toEqual(full)
})
