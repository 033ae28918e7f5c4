import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from './describe-app.ts'
import { aDevice, renameDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { encoded } from './form.ts'
import { largestBody, maxBytes, worstNonsense } from './largest-body.ts'
import { longestTurn } from './longest-turn.ts'
import { resources } from './resources.ts'
import { everyCall, idParams, isStream, type NamedCall, pathOf, sampleOf } from './samples.ts'

const t = describeApp({ checkAnswers: false })
const pipeline = describePipeline(t)

const maxMs = 100
const tries = 6

/**
 * Expects that a request holds the event loop no longer than anything may. Where it did, it is asked again: code that runs for
 * the first time is slow, and so is a turn in which the memory of all these tests is cleared up.
 */
async function expectToGiveWay(ask: () => Promise<() => Promise<unknown>>) {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries && least > maxMs; i++) least = Math.min(least, await longestTurn(await ask()))
  expect(Math.round(least), 'ms of the processor in one turn of the event loop').toBeLessThanOrEqual(maxMs)
}

async function idsOf({ call }: NamedCall, companyId: number): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const { name, resource } of idParams(call))
    ids[name] = String((await resources[resource]?.(t, { companyId }))?.id ?? '1')
  return ids
}

/** Each body as it is sent. Some calls have the same one, and one that was slow is measured again. */
const payloads = new WeakMap<object, ReturnType<typeof encoded>>()
function encodedOnce(call: NamedCall['call'], body: object) {
  const sent = payloads.get(body) ?? encoded(call, body)
  payloads.set(body, sent)
  return sent
}

/** A request that is ready to be sent, of an Admin of a new company. */
async function prepared(named: NamedCall, body: object | null, refused: number[]): Promise<() => Promise<unknown>> {
  const { call, name } = named
  const user = await buildUser(t)
  const ids = await idsOf(named, user.companyId)
  const query = sampleOf(call.query, `${name} query`) as Record<string, unknown>
  const sent = body && encodedOnce(call, body)
  return async () => {
    const answer = await t.app.inject({
      method: call.method,
      url: `/app/api/v1${pathOf(call, ids)}`,
      query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
      headers: { authorization: `Bearer ${user.token}`, ...(sent ? { 'content-type': sent.type } : {}) },
      ...(sent ? { payload: call.bodyKind === 'form' ? inPieces(sent.payload) : sent.payload } : {}),
      ...(isStream(call) ? { payloadAsStream: true } : {}),
    })
    if (isStream(call)) answer.stream().destroy()
    expect(
      [401, 403, 413].filter((status) => !refused.includes(status)),
      name,
    ).not.toContain(answer.statusCode)
    expect(answer.statusCode, name).toBeLessThan(500)
  }
}

/** A form is read piece by piece, each in a turn of its own; those of a socket have 64 kB. */
const inPieces = (body: Buffer) =>
  Readable.from(
    (async function* () {
      for (let at = 0; at < body.length; at += 65_536) {
        yield body.subarray(at, at + 65_536)
        await nextTurn()
      }
    })(),
  )

const hasBody = ({ method }: NamedCall['call']) => method !== 'GET' && method !== 'DELETE'
const written = everyCall.filter(({ call }) => hasBody(call))

test('bodies are made as large as calls take them', () => {
  const sizes = written.map(({ call, name }) => ({
    most: maxBytes(call),
    size: encoded(call, largestBody(call, name)).payload.length,
  }))
  expect(sizes.filter(({ size }) => size > 10_000).length).toBeGreaterThan(10)
  expect(sizes.every(({ size, most }) => size <= most)).toBe(true)
})

test.each(everyCall.filter(({ call }) => !hasBody(call)))('$name gives way (H3)', async (named) => {
  await expectToGiveWay(() => prepared(named, null, []))
})

describe.each(written)('$name', (named) => {
  test('gives way with the largest body it takes (H3)', async () => {
    const body = largestBody(named.call, named.name)
    await expectToGiveWay(() => prepared(named, body, []))
  })

  test('gives way with as much nonsense (H3)', async () => {
    for (const body of worstNonsense(named.call)) await expectToGiveWay(() => prepared(named, body, [413]))
  })
})

describe('the worst that was found', () => {
  const post = (user: TestUser, path: string, payload: string) => async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: `/app/api/v1${path}`,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      payload,
    })
    expect([200, 422]).toContain(answer.statusCode)
    return answer
  }

  test('1,000 positions among 40 fences of 500 corners (H3)', async () => {
    const user = await buildUser(t)
    for (let i = 0; i < 40; i++) {
      const points = Array.from({ length: 500 }, (_, corner) => {
        const [angle, reach] = [(2 * Math.PI * corner) / 500, 0.1 + (corner % 2) / 20 + i / 1e4]
        return { lat: 6.5 + reach * Math.sin(angle), lon: 3.4 + reach * Math.cos(angle) }
      })
      const area = { kind: 'polygon', points }
      const made = await t.call('POST', '/geofence', {
        token: user.token,
        body: { name: `Fence ${i}`, colour: 'red', area },
      })
      expect(made.status).toBe(200)
    }
    let start = t.clock.now().getTime() - 3_600_000
    await expectToGiveWay(async () => {
      const device = await aDevice(t, { companyId: user.companyId, validFrom: new Date('2020-01-01') })
      start += 1
      const readings = Array.from({ length: 1_000 }, (_, i) => ({
        at: new Date(start + i * 1_000),
        lat: 6.5 + Math.sin(i / 9) * 0.16,
        lon: 3.4 + Math.cos(i / 7) * 0.16,
        accuracyM: 50,
      }))
      return async () => expect(await pipeline.send(device, readings)).toMatchObject({ accepted: 1_000 })
    })
  })

  test('a genuine checkpoint 20,000 times (H3)', async () => {
    const user = await buildUser(t)
    const device = await aDevice(t, { companyId: user.companyId })
    await renameDevice(t, user, device.id, 'a')
    const file = (await t.call('GET', '/audit-log/checkpoints', { token: user.token })).body
    const body = JSON.stringify({ ...file, checkpoints: Array(20_000).fill(file.checkpoints[0]) })
    await expectToGiveWay(async () => post(user, '/audit-log/verify', body))
  })

  test('20,000 checkpoints without a field (H3)', async () => {
    const user = await buildUser(t)
    const file = (await t.call('GET', '/audit-log/checkpoints', { token: user.token })).body
    const body = JSON.stringify({ ...file, checkpoints: Array(20_000).fill({}) })
    await expectToGiveWay(async () => post(user, '/audit-log/verify', body))
  })

  test('a file of devices with one row of 490,000 cells, one of empty lines, and one of faults (H3)', async () => {
    const user = await buildUser(t)
    for (const csv of [
      `imei\n1${',x'.repeat(490_000)}`,
      `imei${'\n'.repeat(990_000)}`,
      `imei,${'a,'.repeat(12)}\n${`=1${',=x'.repeat(40)}\n`.repeat(2_000)}`,
      `imei,name,tag,intervalS,preset,probe,visibility\n${'=1,=1,=1,=1,=1,=1,=1,x,x,x\n'.repeat(2_000)}`,
    ]) {
      const body = JSON.stringify({ csv, dryRun: true })
      await expectToGiveWay(async () => {
        const ask = post(user, '/devices/setup/bulk', body)
        return async () => expect((await ask()).body.length).toBeLessThan(1_000_000)
      })
    }
  })

  test('5,000 fixes in one place, and 5,000 on a way that is hard to simplify (H3)', async () => {
    const user = await buildUser(t)
    const start = Date.parse('2026-11-20T09:00:00Z')
    const fixAt = (ms: number, lat: number) => ({ at: new Date(start + ms).toISOString(), lat, lon: 3.4 })
    for (const fixes of [
      Array.from({ length: 5_000 }, (_, i) => fixAt(i * 10, 6.5)),
      Array.from({ length: 5_000 }, (_, i) => fixAt(i * 59 + (i === 4_999 ? 600_000 : 0), i === 4_999 ? 6.7 : 6.5)),
      Array.from({ length: 5_000 }, (_, i) => fixAt(i * 3_600_000, 6.5 + (i % 2 ? 1 : -1) * (i / 5_000))),
    ])
      await expectToGiveWay(async () => post(user, '/map-corrections', JSON.stringify({ fixes, toleranceM: 1 })))
  })
})
