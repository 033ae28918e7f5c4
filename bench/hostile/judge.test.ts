import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Canaries } from './canaries.ts'
import { openClient } from './client.ts'
import { Judge } from './judge.ts'
import type { Ready } from './ready.ts'
import { readLog } from './server-log.ts'
import { slowAlone } from './slow.ts'
import { Tally } from './tally.ts'
import type { Side, World } from './world.ts'

// `npm run bench -- hostile --broken` tries the same with a real server whose walls are taken away.

const sides = {
  a: { letter: 'a', values: { hidden: '7' } } as unknown as Side,
  b: { letter: 'b', values: { hidden: '8' } } as unknown as Side,
}

/** A server that answers so, and the judge of what it answers to tenant a. World 1 is private since a moment ago. */
async function judgeOf(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = openClient((server.address() as AddressInfo).port, 2)
  onTestFinished(() => {
    client.close()
    server.close()
  })
  const tally = new Tally()
  const judge = new Judge(client, new Canaries(), tally)
  judge.knows({ number: 1, sides } as World)
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.now())
  const sent = (caller: Ready['caller']): Ready => ({
    ...{ method: 'GET', path: '/things', headers: {}, body: undefined },
    ...{ caller, side: sides.a, isOpen: false, origin: 'GET /things' },
  })
  const kinds = () => tally.faults.map(({ kind }) => kind)
  return { client, judge, tally, kinds, sent, ask: (caller: Ready['caller']) => judge.exchange(1, sent(caller)) }
}

const says =
  (text: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(text)

test('names of another tenant are a leak, whoever asks', async () => {
  const { ask, kinds } = await judgeOf(says('{"name":"canary-b-fence"}'))
  await ask('admin')
  expect(kinds()).toEqual(['leak GET /things'])
})

test('a private device is a leak to a Manager and none to an Admin', async () => {
  const { ask, kinds } = await judgeOf(says('{"name":"canary-a-private-1"}'))
  await ask('admin')
  expect(kinds()).toEqual([])
  await ask('manager')
  expect(kinds()).toEqual(['leak GET /things'])
})

test('a leak in a header is found', async () => {
  const { ask, kinds } = await judgeOf((_, response) => response.setHeader('x-name', 'canary-b').end())
  await ask('admin')
  expect(kinds()).toEqual(['leak GET /things'])
})

test('an answer of the 500s is a fault', async () => {
  const { ask, kinds } = await judgeOf(says('{}', 503))
  await ask('admin')
  expect(kinds()).toEqual(['503 GET /things'])
})

test('a connection that ends without an answer is a fault', async () => {
  const { ask, kinds } = await judgeOf((request) => request.socket.destroy())
  await ask('admin')
  expect(kinds()).toEqual([expect.stringContaining('no answer')])
})

test('an answer to somebody without a session is a fault', async () => {
  const { ask, kinds } = await judgeOf(says('{}'))
  await ask('ended')
  expect(kinds()).toEqual(['open door GET /things'])
})

test('what is slow among others is a fault where it is slow alone', async () => {
  const { client, sent, kinds, tally } = await judgeOf(says('{}'))
  const again = () => sent('admin')
  tally.took(70_000, 1, 'GET /things')
  await slowAlone({ client, tally, maxMs: 60_000, again })
  expect(kinds()).toEqual([])
  await slowAlone({ client, tally, maxMs: 0, again })
  expect(kinds()).toEqual(['slow GET /things'])
})

test('mails, webhooks and live streams are judged by who gets them', async () => {
  const { judge, kinds } = await judgeOf(says(''))
  const at = Date.now() + 5_000
  judge.heard({ kind: 'mail', to: 'canary-a-admin-1@example.test', text: 'canary-a-private-1', at })
  judge.heard({ kind: 'stream', to: 'a admin', text: '{"deviceId":"7"}', at })
  judge.heard({ kind: 'stream', to: 'a other', text: '{"deviceId":"9"}', at })
  expect(kinds()).toEqual([])
  judge.heard({ kind: 'mail', to: 'canary-a-manager-1@example.test', text: 'canary-a-private-1', at })
  judge.heard({ kind: 'webhook', to: '/canary-b-hook/admin', text: 'canary-a-device', at })
  judge.heard({ kind: 'stream', to: 'b admin', text: 'canary-a-device', at })
  judge.heard({ kind: 'stream', to: 'a other', text: '{"deviceId":"7"}', at })
  expect(kinds()).toEqual([
    expect.stringMatching(/^tells .* mail$/),
    expect.stringMatching(/^tells .* webhook$/),
    expect.stringMatching(/^tells .* stream$/),
    expect.stringMatching(/^the stream .* stream$/),
  ])
})

test('errors and anything but log lines in the output of the server are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'server.log')
  await writeFile(path, '{"level":40,"msg":"slow"}\n{"level":50,"msg":"request failed"}\n    at main.ts:1\n')
  const { warnings, errors } = await readLog(path)
  expect(warnings).toEqual({ slow: 1 })
  expect(errors).toHaveLength(2)
})
