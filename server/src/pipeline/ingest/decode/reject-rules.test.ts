import { readFileSync } from 'node:fs'
import { rejectRules } from '@isotherm/contract/ingest.ts'
import { describe, expect, test } from 'vitest'
import { decode, decodeAcks } from './decode.ts'

const imei = '490154203237518'
const said = (body: unknown) => decode(Buffer.from(JSON.stringify(body)), 0, imei)
const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)

const broken: [rule: string, reason: object, decoded: ReturnType<typeof said>][] = [
  ['json', {}, decode(Buffer.from('{'), 0, imei)],
  ['object', {}, said(4)],
  ['object', { field: 'extra' }, said({ temperatureC: 4, extra: 4 })],
  ['array', { field: 'readings' }, said({ readings: 4 })],
  ['number', { field: 'temperatureC' }, said({ temperatureC: 'x' })],
  ['integer', { field: 'probe' }, said({ temperatureC: 4, probe: 'x' })],
  ['atMost', { field: 'temperatureC', bound: 327.67 }, said({ temperatureC: 328 })],
  ['atLeast', { field: 'humidityPct', bound: 0 }, said({ humidityPct: -1 })],
  ['instant', { field: 'at' }, said({ at: 'yesterday', temperatureC: 4 })],
  ['instant', { field: 'at' }, said({ at: {}, temperatureC: 4 })],
  ['latAndLon', { field: 'lat' }, said({ lat: 1 })],
  ['ack', { field: 'acks' }, decodeAcks(Buffer.from('[4]'))],
  ['length', { field: 'extra', bound: 8_192 }, said({ note: 'x'.repeat(9_000) })],
  ['depth', { field: 'extra', bound: 8 }, said({ extra: { deep } })],
  ['nul', { field: 'extra' }, said({ note: '\0' })],
  ['unicode', { field: 'extra' }, decode(Buffer.from('{"note":"\\ud800"}'), 0, imei)],
  ['text', { field: 'n' }, said([{ n: 4, v: 4 }])],
  ['critical', { field: 'a_' }, said([{ a_: 4 }])],
  ['noValue', { field: 'record' }, said([{ n: 'temperature' }])],
  ['otherDevice', { field: 'record' }, said([{ n: 'urn:imei:490154203237526:temperature', v: 4 }])],
  ['unit', { field: 'temperatureC', expected: 'Cel, K' }, said([{ n: 'temperature', u: 'Fah', v: 4 }])],
  [
    'twice',
    { field: 'temperatureC' },
    said([
      { n: 'temperature', v: 4 },
      { n: 'temperature', v: 5 },
    ]),
  ],
]

describe('a refusal names the rule that was broken', () => {
  test.each(broken)('%s', (rule, reason, decoded) => {
    expect(decoded.refused.at(-1)?.reason).toEqual({ ...reason, rule })
  })

  test.each(['en', 'fr', 'es', 'sw'])('and each rule has a sentence: %s', (language) => {
    const file = new URL(`../../../../../contract/locales/${language}/devices.json`, import.meta.url)
    const { rules } = JSON.parse(readFileSync(file, 'utf8')).rejected
    for (const rule of [...rejectRules, 'limit', 'months', 'hours', 'probe']) expect(rules[rule]).toBeTruthy()
  })
})
