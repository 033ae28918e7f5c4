import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { changeSecret } from '../../core/provider/hardware.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { Pipeline } from '../pipeline.ts'
import { authenticate } from './authenticate.ts'

const pipeline = describeIngest()

const minute = 60_000
const at = (minutesAgo: number) => new Date(Date.parse('2026-11-20T12:00:00Z') - minutesAgo * minute).toISOString()
const readings = (device: TestDevice) => pipeline.readingsOf(device)
const rejected = (device: { imei: string }) => pipeline.rejectedOf(device)

describe('what is taken in', () => {
  test('a batch loses none of its good readings to one bad, one from 1970 and one of another company', async () => {
    const device = await pipeline.device()
    const other = await pipeline.device()
    const sent = await pipeline.post(device, {
      readings: [
        { at: at(9), temperatureC: 4 },
        { at: at(6), temperatureC: 'warm' },
        { at: '1970-01-01T00:00:00Z', temperatureC: 4 },
        { at: at(3), temperatureC: 5, probe: 2 },
        { at: at(0), temperatureC: 6 },
      ],
    })
    expect(sent).toMatchObject({
      status: 200,
      answer: {
        accepted: 2,
        duplicates: 0,
        rejected: [
          { index: 1, code: 'INVALID' },
          { index: 2, code: 'TOO_OLD' },
          { index: 3, code: 'NOT_ASSIGNED' },
        ],
      },
    })
    expect((await readings(device)).map((row) => row.temperature_centi)).toEqual([400, 600])
    expect(await readings(other)).toEqual([])
    const kept = await rejected(device)
    expect(kept.map(({ code, company_id }) => [code, company_id])).toEqual([
      ['INVALID', device.companyId],
      ['TOO_OLD', device.companyId],
      ['NOT_ASSIGNED', null],
    ])
    expect(JSON.parse(String(kept[0]?.payload))).toEqual({ at: at(6), temperatureC: 'warm' })
  })

  test('the same reading again is a duplicate, in the same message and in another', async () => {
    const device = await pipeline.device()
    const reading = { at: at(3), temperatureC: 4.1, humidityPct: 40, note: 'x' }
    expect((await pipeline.post(device, { readings: [reading, reading] })).answer).toMatchObject({
      accepted: 1,
      duplicates: 1,
    })
    expect((await pipeline.post(device, reading)).answer).toMatchObject({ accepted: 0, duplicates: 1, rejected: [] })
    expect(await readings(device)).toHaveLength(1)
  })

  test('another reading of the same time is kept as rejected, and the first stays', async () => {
    const device = await pipeline.device()
    const [first, second] = [
      { at: at(3), temperatureC: 4 },
      { at: at(3), temperatureC: 4.01 },
    ]
    expect((await pipeline.post(device, { readings: [first, second] })).answer).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, code: 'CONFLICT' }],
    })
    for (const differing of [second, { ...first, note: 'x' }, { ...first, lightLux: 1 }])
      expect((await pipeline.post(device, differing)).answer.rejected).toEqual([{ index: 0, code: 'CONFLICT' }])
    expect(await readings(device)).toMatchObject([{ temperature_centi: 400 }])
    const kept = await rejected(device)
    expect(kept).toHaveLength(4)
    expect(kept[0]).toMatchObject({ company_id: device.companyId, device_id: device.id, measured_at: new Date(at(3)) })
  })

  test('what is nested deeper than can be written out is rejected and kept, with what else was wrong', async () => {
    const device = await pipeline.device()
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const sent = await pipeline.post(
      device,
      `{"readings":[{"temperatureC":4},{"extra":${deep}},{"temperatureC":"warm"}]}`,
    )
    expect(sent.answer).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 1, code: 'INVALID' },
        { index: 2, code: 'INVALID' },
      ],
    })
    const kept = await rejected(device)
    expect(kept.map(({ payload }) => String(payload).slice(0, 12))).toEqual(['{"extra":[[[', '{"temperatur'])
  })

  test('unknown fields, accuracy and speed are kept in extra', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, {
      at: at(1),
      temperatureC: 4,
      accuracyM: 12,
      speedKmh: 3.5,
      door: 'open',
      __proto__: { x: 1 },
      extra: { rssi: -71, nested: [1, { a: null }] },
    })
    expect((await readings(device))[0]).toMatchObject({
      extra: { accuracyM: 12, speedKmh: 3.5, door: 'open', rssi: -71, nested: [1, { a: null }] },
    })
  })

  test('readings without a time get the time of arrival, no two the same', async () => {
    const device = await pipeline.device()
    const { answer } = await pipeline.post(device, { readings: [{ temperatureC: 1 }, { temperatureC: 2 }] })
    expect(answer).toMatchObject({ accepted: 2 })
    expect((await pipeline.post(device, { temperatureC: 3 })).answer.accepted).toBe(1)
    const times = (await readings(device)).map((row) => row.at.getTime())
    expect(new Set(times).size).toBe(3)
  })

  test('readings without a time get the time of arrival again after a clock that was days ahead has been set right', async () => {
    const device = await pipeline.device()
    const days = 2 * 24 * 60 * minute
    pipeline.clock.advance(days)
    try {
      await pipeline.post(device, { temperatureC: 1 })
    } finally {
      pipeline.clock.advance(-days)
    }
    expect((await pipeline.post(device, { temperatureC: 2 })).answer).toMatchObject({ accepted: 1, rejected: [] })
    const [first] = await readings(device)
    expect(first).toMatchObject({ temperature_centi: 200, at: new Date(pipeline.clock.now()) })
  })

  test('a month whose partition was dropped meanwhile gets a new one, and its readings are stored', async () => {
    const device = await pipeline.device()
    const ofMonth = { at: '2025-03-04T12:00:00Z', temperatureC: 4 }
    expect((await pipeline.post(device, ofMonth)).answer.accepted).toBe(1)
    await pipeline.pool.query('drop table readings_2025_03')
    const later = { at: '2025-03-05T12:00:00Z', temperatureC: 5 }
    expect((await pipeline.post(device, later)).answer).toMatchObject({ accepted: 1, rejected: [] })
    expect(await readings(device)).toMatchObject([{ temperature_centi: 500 }])
  })

  test('times may be seconds or milliseconds since 1970', async () => {
    const device = await pipeline.device()
    const seconds = Date.parse(at(5)) / 1000
    await pipeline.post(device, {
      readings: [
        { at: seconds, temperatureC: 1 },
        { at: seconds * 1000 + 1, temperatureC: 2 },
        { at: seconds + 0.0021, temperatureC: 3 },
      ],
    })
    const ofMs = (ms: number) => at(5).replace('000Z', `00${ms}Z`)
    expect((await readings(device)).map((row) => row.at.toISOString())).toEqual([ofMs(0), ofMs(1), ofMs(2)])
  })

  test.each<[string, unknown, string]>([
    ['an array for a string', { at: ['2026-11-20T11:00:00Z'], temperatureC: 4 }, 'INVALID'],
    ['a time without a zone', { at: '2026-11-20T11:00:00', temperatureC: 4 }, 'INVALID'],
    ['the 31st of February', { at: '2026-02-31T11:00:00Z', temperatureC: 4 }, 'INVALID'],
    ['warmer than we can hold', { temperatureC: 400 }, 'INVALID'],
    ['colder than can be', { temperatureC: -274 }, 'INVALID'],
    ['humidity beyond 100 %', { humidityPct: 101 }, 'INVALID'],
    ['latitude without longitude', { lat: 6.5 }, 'INVALID'],
    ['latitude out of the world', { lat: 96.5, lon: 3 }, 'INVALID'],
    ['NUL in a text', { temperatureC: 4, note: 'a\0b' }, 'INVALID'],
    ['half a surrogate pair', '{"temperatureC":4,"note":"\\ud800"}', 'INVALID'],
    ['a NUL in a name', { temperatureC: 4, extra: { 'a\0': 1 } }, 'INVALID'],
    ['extra that is a list', { temperatureC: 4, extra: [1] }, 'INVALID'],
    ['extra too deep', { temperatureC: 4, extra: JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) }, 'INVALID'],
    ['extra too long', { temperatureC: 4, extra: { note: 'x'.repeat(9000) } }, 'INVALID'],
    ['nothing measured', { at: '2026-11-20T11:00:00Z' }, 'EMPTY'],
    ['readings that are no list', { readings: { temperatureC: 4 } }, 'MALFORMED'],
    ['a number', '7', 'MALFORMED'],
    ['null', 'null', 'MALFORMED'],
    ['no JSON', 'temperature=4', 'MALFORMED'],
    ['JSON that ends too soon', '{"temperatureC":4', 'MALFORMED'],
    ['nothing at all', '', 'MALFORMED'],
    ['more readings than a message may have', { readings: Array(10_001).fill({ temperatureC: 1 }) }, 'TOO_MANY'],
    ['more answers than a message may have', { acks: Array(10_001).fill({ commandId: '1', ok: true }) }, 'TOO_MANY'],
    ['more wrong answers than a message may have', { acks: Array(10_001).fill(1) }, 'TOO_MANY'],
  ])('%s is acknowledged and kept raw', async (_, body, code) => {
    const device = await pipeline.device()
    const sent = await pipeline.post(device, body)
    expect(sent).toMatchObject({ status: 200, answer: { accepted: 0, rejected: [{ index: 0, code }] } })
    expect(await rejected(device)).toMatchObject([{ code, protocol: 'http', company_id: device.companyId }])
  })

  test('what is not text is kept byte by byte', async () => {
    const device = await pipeline.device()
    const bytes = Buffer.from([0, 255, 254, 128, 10])
    await pipeline.post(device, bytes)
    expect((await rejected(device))[0]?.payload).toEqual(bytes)
  })
})

describe('time', () => {
  test('a clock more than 10 minutes ahead is flagged and never the latest; more than a day ahead is rejected', async () => {
    const device = await pipeline.device()
    const sent = await pipeline.post(device, {
      readings: [
        { at: at(0), temperatureC: 4 },
        { at: at(-9), temperatureC: 5 },
        { at: at(-11), temperatureC: 6 },
        { at: at(-24 * 60 - 1), temperatureC: 7 },
      ],
    })
    expect(sent.answer).toMatchObject({ accepted: 3, rejected: [{ index: 3, code: 'TOO_FAR_AHEAD' }] })
    const [latest] = await pipeline.rows('select * from device_latest where device_id = $1', [device.id])
    expect(latest).toMatchObject({ temperature_centi: 500, measured_at: new Date(at(-9)), clock_ahead_s: 660 })
    await pipeline.post(device, { at: at(-1), temperatureC: 7 })
    const [after] = await pipeline.rows('select * from device_latest where device_id = $1', [device.id])
    expect(after).toMatchObject({ temperature_centi: 500, measured_at: new Date(at(-9)) })
  })

  test('two years old is accepted, a day more is not', async () => {
    const device = await pipeline.device()
    const sent = await pipeline.post(device, {
      readings: [
        { at: '2024-11-20T12:00:00Z', temperatureC: 4 },
        { at: '2024-11-19T12:00:00Z', temperatureC: 4 },
      ],
    })
    expect(sent.answer).toMatchObject({ accepted: 1, rejected: [{ index: 1, code: 'TOO_OLD' }] })
  })

  test('late readings are stored without becoming the latest; kinds of values keep their own newest time', async () => {
    const device = await pipeline.device()
    await pipeline.post(device, { at: at(10), temperatureC: 4 })
    await pipeline.post(device, { at: at(20), temperatureC: 9, batteryPct: 50, lat: 6.5, lon: 3.4, accuracyM: 8 })
    const [latest] = await pipeline.rows('select * from device_latest where device_id = $1', [device.id])
    expect(latest).toMatchObject({
      measured_at: new Date(at(10)),
      temperature_centi: 400,
      temperature_at: new Date(at(10)),
      battery_pct: 50,
      battery_at: new Date(at(20)),
      lat_e7: 65_000_000,
      accuracy_m: 8,
      position_at: new Date(at(20)),
    })
  })
})

describe('who may', () => {
  test('a wrong secret, an unknown IMEI, no secret and no IMEI are all 401', async () => {
    const device = await pipeline.device()
    for (const [imei, secret] of [
      [device.imei, 'wrong'],
      ['350000000000001', device.secret],
      ['35000', device.secret],
      [`${device.imei.slice(0, -1)}%00`, device.secret],
    ] as const)
      expect(await pipeline.post({ imei, secret }, { temperatureC: 4 })).toMatchObject({ status: 401 })
    const none = await pipeline.post(device, { temperatureC: 4 }, { authorization: '' })
    expect(none).toMatchObject({ status: 401, answer: { code: 'UNAUTHENTICATED' } })
  })

  test('an IMEI with wrong secrets time and again is told to wait; the right secret still opens it', async () => {
    const device = await pipeline.device()
    const wrong = { imei: device.imei, secret: 'wrong' }
    expect((await pipeline.post(device, { temperatureC: 4 })).status).toBe(200)
    for (let tries = 0; tries < 10; tries++) expect((await pipeline.post(wrong, {})).status).toBe(401)
    const blocked = await pipeline.post(wrong, {})
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await pipeline.post(device, { temperatureC: 4 })).status).toBe(200)
    pipeline.clock.advance(60_000)
    expect((await pipeline.post(wrong, {})).status).toBe(401)
    pipeline.clock.advance(-60_000)
  })

  test("one device's secret does not open another's IMEI", async () => {
    const [device, other] = [await pipeline.device(), await pipeline.device()]
    expect((await pipeline.post({ imei: other.imei, secret: device.secret }, { temperatureC: 4 })).status).toBe(401)
    expect(await readings(other)).toEqual([])
  })

  test('a changed secret works at once and the old one no longer does', async () => {
    const device = await pipeline.device()
    expect((await pipeline.post(device, { temperatureC: 4 })).status).toBe(200)
    const secret = await asLogin(pipeline.pool, ({ tx }) => changeSecret(tx, device.imei))
    expect((await pipeline.post({ ...device, secret }, { temperatureC: 4 })).status).toBe(200)
    expect((await pipeline.post(device, { temperatureC: 4 })).status).toBe(401)
  })

  test('a node that has nothing to store forgets a revoked secret, too', async () => {
    const idle = new Pipeline({ ...pipeline.options, metrics: pipeline.metrics(), lanes: 0 })
    await idle.start()
    onTestFinished(() => idle.stop())
    const device = await pipeline.device()
    expect(await authenticate(idle, null, device.imei, device.secret)).toMatchObject({ imei: device.imei })
    await asLogin(pipeline.pool, ({ tx }) => changeSecret(tx, device.imei))
    await expect.poll(() => authenticate(idle, null, device.imei, device.secret)).toBe('refused')
  })

  test('hardware that nobody has claimed is acknowledged, and what it sends kept on nobody’s list', async () => {
    const tracker = await pipeline.tracker()
    const { answer } = await pipeline.post(tracker, { temperatureC: 4 })
    expect(answer).toMatchObject({ accepted: 0, rejected: [{ index: 0, code: 'NOT_ASSIGNED' }] })
    expect(await rejected(tracker)).toMatchObject([{ code: 'NOT_ASSIGNED', company_id: null }])
  })

  test('more than 1 MB is 413 and another type 415', async () => {
    const device = await pipeline.device()
    // Acknowledged, what was never unpacked would be lost.
    const packed = await pipeline.post(device, gzipSync('{"temperatureC":4}'), { 'content-encoding': 'gzip' })
    expect([packed.status, await rejected(device)]).toEqual([415, []])
    expect((await pipeline.post(device, { temperatureC: 4 }, { 'content-encoding': 'identity' })).status).toBe(200)
    const big = JSON.stringify({ temperatureC: 4, note: 'x'.repeat(1_048_576) })
    expect((await pipeline.post(device, big)).status).toBe(413)
    expect((await pipeline.post(device, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
      415,
    )
  })
})

describe('who is not known', () => {
  /** As somebody at an address, with a made-up secret. */
  const guess = async (imei: string, secret: string, remoteAddress: string) => {
    const { statusCode } = await pipeline.app.inject({
      method: 'POST',
      url: `/app/api/v1/ingest/${imei}`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ at: at(0), temperatureC: 4 }),
      remoteAddress,
    })
    return statusCode
  }

  test('makes up IMEIs from one address only so long, and others are let in (L22)', async () => {
    const [known, fresh, elsewhere] = [await pipeline.device(), await pipeline.device(), await pipeline.device()]
    pipeline.clock.advance(60_000)
    expect(await guess(known.imei, known.secret, '203.0.113.7')).toBe(200)
    const made = Array.from({ length: 700 }, (_, i) => String(990_000_000_000_000 + i))
    const statuses: number[] = []
    for (const imei of made) statuses.push(await guess(imei, 'x'.repeat(32), '203.0.113.7'))
    expect([...new Set(statuses)]).toEqual([401, 429])
    expect(statuses.filter((status) => status === 401)).toHaveLength(600)
    // As after a start: nobody has asked for it yet.
    pipeline.pipeline.directory.forget([`imei:${fresh.imei}`])
    expect(await guess(fresh.imei, fresh.secret, '203.0.113.7')).toBe(429)
    // It may have been dropped from memory once, by the settings change of its own making.
    const afterElsewhere = async () => {
      await guess(known.imei, known.secret, '203.0.113.8')
      return guess(known.imei, known.secret, '203.0.113.7')
    }
    await expect.poll(afterElsewhere).toBe(200)
    expect(await guess(elsewhere.imei, elsewhere.secret, '203.0.113.8')).toBe(200)
    pipeline.clock.advance(60_000)
    expect(await guess(fresh.imei, fresh.secret, '203.0.113.7')).toBe(200)
  })
})
