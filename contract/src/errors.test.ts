import { expect, test } from 'vitest'
import { z } from 'zod'
import { Country, Email, Id, Imei, Instant, Period, Phone, paragraph, TimeZone, text } from './common.ts'
import { messagesOf } from './errors.ts'

const keyOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  return (
    error && messagesOf(error).map(({ path, message }) => [path, message.key.replace('fields.', ''), message.values])
  )
}
const one = (schema: z.ZodType, value: unknown) => keyOf(z.strictObject({ a: schema }), { a: value })?.[0]?.slice(1)

test('a mistake is named in our words, whatever the kind', () => {
  expect(keyOf(z.strictObject({ a: z.string() }), {})).toEqual([['a', 'required', {}]])
  expect(one(text(5), '')).toEqual(['required', {}])
  expect(one(text(5), 'toolong')).toEqual(['tooBigText', { limit: 5 }])
  expect(one(z.string().min(10), 'short')).toEqual(['tooSmallText', { limit: 10 }])
  expect(one(z.number().max(3), 4)).toEqual(['tooBigNumber', { limit: 3 }])
  expect(one(z.array(Id).min(1), [])).toEqual(['chooseOne', {}])
  expect(one(z.array(Id).min(2), ['1'])).toEqual(['tooSmallList', { limit: 2 }])
  expect(one(z.string(), ['a'])).toEqual(['type.string', {}])
  expect(one(z.string(), null)).toEqual(['type.string', {}])
  expect(one(z.number().int(), 1.5)).toEqual(['type.int', {}])
  expect(one(z.record(z.string(), z.string()), 3)).toEqual(['type.object', {}])
  expect(one(z.null(), 3)).toEqual(['invalid', {}])
  expect(one(z.enum(['a', 'b']), 'c')).toEqual(['choice', { choices: 'a, b' }])
  expect(one(Email, 'nobody')).toEqual(['format.email', {}])
  expect(one(Instant, 'yesterday')).toEqual(['format.datetime', {}])
  expect(one(z.url(), 'x')).toEqual(['format.url', {}])
  expect(one(Phone, '0801')).toEqual(['format.phone', {}])
  expect(one(Country, 'Kenya')).toEqual(['format.country', {}])
  expect(one(Imei, '1')).toEqual(['format.imei', {}])
  expect(one(Id, '0')).toEqual(['format.other', {}])
  expect(one(text(5), 'a\u0000')).toEqual(['format.printable', {}])
  expect(one(text(5), 'a\ud83e')).toEqual(['format.printable', {}])
  expect(one(paragraph(5), 'a\ud83e')).toEqual(['format.printable', {}])
  expect(one(TimeZone, 'Mars/Base')).toEqual(['rule.timeZone', {}])
  expect(one(TimeZone, '+05:30')).toEqual(['rule.timeZone', {}])
})

test('every failure is told, with the path of its field', () => {
  const schema = z.strictObject({ a: z.strictObject({ b: text(3) }), c: z.array(Id) })
  expect(keyOf(schema, { a: { b: 'long!', x: 1 }, c: ['1', 'no'], y: 1 })?.map(([path]) => path)).toEqual([
    'a.b',
    'a.x',
    'c.1',
    'y',
  ])
})

test('a period starts before it ends and is not endless', () => {
  const from = '2026-01-01T00:00:00Z'
  expect(keyOf(Period, { from, to: '2025-12-31T00:00:00Z' })).toEqual([['from', 'rule.startAfterEnd', {}]])
  expect(keyOf(Period, { from, to: '2029-01-01T00:00:00Z' })).toEqual([['to', 'rule.periodTooLong', { limit: 800 }]])
  expect(keyOf(Period, { from, to: '2026-01-01T01:00:00+01:00' })).toBeUndefined()
})

test('text is trimmed, lines may have breaks, nothing may hold what PostgreSQL cannot', () => {
  expect(text(9).parse('  Åsa  ')).toBe('Åsa')
  expect(paragraph(20).parse('a\r\n\tb')).toBe('a\r\n\tb')
  for (const bad of ['a\u0000', '\ud800', 'a\u001b[0m']) {
    expect(text(20).safeParse(bad).success).toBe(false)
    expect(paragraph(20).safeParse(bad).success).toBe(false)
  }
})

test('a zone may go by every name that browsers give it', () => {
  for (const zone of [
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'America/Argentina/Buenos_Aires',
    'UTC',
    'Etc/GMT+5',
  ])
    expect(TimeZone.safeParse(zone).success, zone).toBe(true)
  for (const none of ['', 'utc ', 'asia/kolkata', 'Asia/', '../UTC', 'PST', 'SystemV/EST5', 'Asia/Kolkata; drop'])
    expect(TimeZone.safeParse(none).success, none).toBe(false)
})
