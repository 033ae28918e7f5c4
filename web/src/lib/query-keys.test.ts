import { alarms } from '@isotherm/contract/alarms.ts'
import type { Call } from '@isotherm/contract/call.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { places } from '@isotherm/contract/places.ts'
import { records } from '@isotherm/contract/records.ts'
import { stats } from '@isotherm/contract/stats.ts'
import { hashKey } from '@tanstack/react-query'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Sending, urlOf } from './call.ts'
import { keyOf } from './query.ts'

const rows: Call[] = [alarms, devices, groups, places, records, stats].flatMap((calls) => Object.values(calls))
const names = fc.constantFrom('from', 'to', 'page', 'search')
const value = fc.oneof(fc.constantFrom('1', '2', '2026-11-01T00:00:00Z', 'a'), fc.nat({ max: 3 }), fc.boolean())
const question = fc.record({
  row: fc.constantFrom(...rows),
  params: fc.dictionary(fc.constantFrom('id', 'type', 'recordId'), fc.constantFrom('1', '2', 'temperature')),
  query: fc.dictionary(names, value),
  body: fc.option(fc.dictionary(names, fc.oneof(value, fc.array(value, { maxLength: 2 }))), { nil: undefined }),
})
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

const sorted = (object: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
/** The requests that the server received. */
const sent = ({ row, params, query, body }: Question) =>
  JSON.stringify([row.method, urlOf(row, { params, query: sorted(query) }), body && sorted(body)])
const key = ({ row, ...sending }: Question) => hashKey(keyOf(row, sending as unknown as Sending<Call>))

test('two different questions never share a key, the same question has one (UX2)', () => {
  fc.assert(
    fc.property(question, question, (one, other) => {
      if (sent(one) !== sent(other)) expect(key(one)).not.toBe(key(other))
      expect(key({ ...one, query: sorted(one.query) as typeof one.query })).toBe(key(one))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['the path', { params: { id: '2' } }],
  ['the query', { query: { page: 2 } }],
  ['the body', { body: { from: '2026-11-02T00:00:00Z' } }],
])('a question that differs in %s alone has a key of its own (UX2)', (_what, change) => {
  const asked = {
    row: groups.devicesOf,
    params: { id: '1' },
    query: { page: 1 },
    body: { from: '2026-11-01T00:00:00Z' },
  }
  expect(key({ ...asked, ...change } as Question)).not.toBe(key(asked as Question))
})
