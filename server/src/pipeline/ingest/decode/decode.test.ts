import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAckBody, decodeJson } from './json.ts'
import { decodeSenml } from './senml.ts'

const name = fc.oneof(
  fc.constantFrom('n', 'u', 'v', 'vs', 'vb', 't', 'bn', 'bt', 'bu', 'bv', 'bver', 'at', 'probe', 'extra', 'lat', 'lon'),
  fc.constantFrom('readings', 'acks', 'commandId', 'ok', 'temperatureC', '__proto__', 'constructor', 'a_'),
  fc.string({ unit: 'binary' }),
)
const word = fc.constantFrom(
  'temperature',
  'humidity',
  'probe2:lat',
  'Cel',
  '%RH',
  '/',
  '__proto__',
  'toString',
  '\0',
  '\ud800',
)
const leaf = fc.oneof(word, fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.string({ unit: 'binary' }))
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(name, tie('value'), { maxKeys: 8 }),
  ),
}))

test('no decoder throws, and what a reason says can be kept as JSON by PostgreSQL', () => {
  fc.assert(
    fc.property(anything, (value) => {
      const body: unknown = JSON.parse(JSON.stringify(value))
      for (const { refused, readings } of [
        decodeJson(body),
        decodeAckBody(body),
        decodeSenml(Array.isArray(body) ? body : [body], 0, '490154203237518'),
      ]) {
        for (const { reason } of refused) expect(JSON.stringify(reason)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
        for (const { extra } of readings) expect(extra ?? '').not.toMatch(/\\u0000|\\ud[89a-f]/i)
      }
    }),
    { numRuns: 3000 },
  )
})

test('a reserved name within extra is kept under another name, and never read as the field (M3)', () => {
  const sent = { temperatureC: 4, extra: { accuracyM: 'x', temperatureC: 99, rssi: -71, extra: 1 } }
  const { readings, refused } = decodeJson(sent)
  expect(refused).toEqual([])
  expect(readings).toMatchObject([{ temperatureCenti: 400, accuracyM: null }])
  expect(JSON.parse(readings[0]?.extra ?? '')).toEqual({
    'extra.accuracyM': 'x',
    'extra.temperatureC': 99,
    'extra.extra': 1,
    rssi: -71,
  })
})
