import { describe, expect, test } from 'vitest'
import { decode } from './decode.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const decoded = (pack: unknown) => decode(Buffer.from(JSON.stringify(pack)), now, '490154203237518')

describe('a SenML pack', () => {
  test('takes the sender by whatever name its IMEI has, and nothing said of another device', () => {
    const named = (bn: string) => decoded([{ bn, bt: 1_795_176_000, n: 'temperature', v: 4 }])
    for (const own of ['urn:dev:imei:490154203237518:', 'urn:gsma:imei:49015420-323751-8/', 'imei:4901542032375199:'])
      expect(named(own), own).toMatchObject({ readings: [{ temperatureCenti: 400 }], refused: [] })
    for (const other of ['urn:dev:imei:490154203237526:', 'urn:dev:IMEI:356938035643809:', 'imei:35693803564380/'])
      expect(named(other), other).toMatchObject({ readings: [], refused: [{ index: 0, code: 'INVALID' }] })
    const mixed = decoded([
      { bt: 1_795_176_000, n: 'temperature', v: 4 },
      { n: 'urn:dev:imei:356938035643809:temperature', t: 60, v: 40 },
      { n: 'humidity', v: 50 },
    ])
    expect(mixed.readings).toMatchObject([{ temperatureCenti: 400, humidityCenti: 5000 }])
    expect(mixed.refused).toMatchObject([{ index: 1, code: 'INVALID' }])
  })

  test('of one time is one reading, with base name, base time and units of RFC 8428', () => {
    const { readings, refused } = decoded([
      { bn: 'urn:dev:imei:490154203237518:', bt: 1_795_176_000, n: 'temperature', u: 'Cel', v: 4.25 },
      { n: 'humidity', u: '%RH', v: 51 },
      { n: 'battery', u: '%EL', v: 88 },
      { n: 'illuminance', u: 'lx', v: 12 },
      { n: 'lat', u: 'lat', v: 6.5244 },
      { n: 'lon', u: 'lon', v: 3.3792 },
    ])
    expect(refused).toEqual([])
    expect(readings).toMatchObject([
      {
        measuredAt: 1_795_176_000_000,
        probe: 1,
        temperatureCenti: 425,
        humidityCenti: 5100,
        batteryPct: 88,
        lightLux: 12,
        latE7: 65_244_000,
        lonE7: 33_792_000,
      },
    ])
  })

  test('of several times is several readings, each counted from its first record', () => {
    const { readings } = decoded([
      { bn: 'x:', bt: 1_795_176_000, bu: 'Cel', n: 'temperature', v: 1 },
      { n: 'temperature', t: 60, v: 2 },
      { n: 'temperature', t: 120, v: 3 },
    ])
    expect(readings.map(({ index, measuredAt, temperatureCenti }) => [index, measuredAt, temperatureCenti])).toEqual([
      [0, 1_795_176_000_000, 100],
      [1, 1_795_176_060_000, 200],
      [2, 1_795_176_120_000, 300],
    ])
  })

  test('adds base values, takes kelvin and ratios, and means the past by small times', () => {
    const { readings } = decoded([
      { bv: 2, n: 'temperature', u: 'Cel', v: 0.5, t: -60 },
      { n: 'humidity', u: '/', v: -1.5, t: -60 },
      { n: 'probe2:temperature', u: 'K', v: 275.15, t: -60 },
    ])
    expect(readings).toMatchObject([
      { measuredAt: now - 60_000, temperatureCenti: 250, humidityCenti: 5000, probe: 1 },
      { measuredAt: now - 60_000, temperatureCenti: 400, probe: 2 },
    ])
  })

  test('keeps what it does not know, texts and booleans, in extra', () => {
    const { readings } = decoded([
      { n: 'temperature', v: 4 },
      { n: 'door', vb: true },
      { n: 'note', vs: 'hello' },
      { n: '__proto__', vs: 'x' },
    ])
    expect(JSON.parse(readings[0]?.extra ?? '')).toEqual(JSON.parse('{"door":true,"note":"hello","__proto__":"x"}'))
  })

  test.each<[string, unknown]>([
    ['a wrong unit', { n: 'temperature', u: 'Far', v: 40 }],
    ['a unit named like what every object has', { n: 'temperature', u: '__proto__', v: 4 }],
    ['a unit named like a method of every object', { n: 'temperature', u: 'valueOf', v: 4 }],
    ['a text for a number', { n: 'temperature', v: '4' }],
    ['a list for a name', { n: ['temperature'], v: 4 }],
    ['no value', { n: 'temperature' }],
    ['a record that is none', 7],
    ['null', null],
    ['a time that is none', { n: 'temperature', v: 4, t: 'now' }],
    ['a field that must be understood', { n: 'temperature', v: 4, must_: 1 }],
    ['a version of the future', { bver: 11, n: 'temperature', v: 4 }],
    ['warmer than can be', { n: 'temperature', v: 4000 }],
    ['__proto__ for a unit', { n: 'temperature', u: '__proto__', v: 4 }],
    ['constructor for a unit', { n: 'temperature', u: 'constructor', v: 4 }],
    ['a NUL in what must be understood', { n: 'temperature', v: 4, 'a\0_': 1 }],
    ['a name of JavaScript', { n: 'constructor', u: 'Cel', v: {} }],
  ])('with %s loses that record only', (_, record) => {
    const { readings, refused } = decoded([{ n: 'humidity', u: '%RH', v: 40, t: -5 }, record])
    expect(readings).toHaveLength(1)
    expect(refused).toMatchObject([{ index: 1, code: 'INVALID' }])
  })

  test('says twice what one time had is refused', () => {
    const { readings, refused } = decoded([
      { n: 'temperature', v: 4 },
      { n: 'temperature', v: 5 },
    ])
    expect(readings).toMatchObject([{ temperatureCenti: 400 }])
    expect(refused).toMatchObject([{ index: 1, code: 'INVALID' }])
  })

  test('that is empty says nothing, and one out of all time is refused', () => {
    expect(decoded([])).toMatchObject({ readings: [], refused: [], acks: [] })
    expect(decoded([{ n: 'temperature', v: 4, t: 1e300 }])).toMatchObject({
      readings: [],
      refused: [{ code: 'INVALID' }],
    })
  })
})
