import { expect, test } from 'vitest'
import {
  Country,
  GivenInstant,
  Instant,
  Period,
  paragraph,
  personalName,
  text,
  webAddress,
  withoutLink,
} from './common.ts'
import { messagesOf } from './errors.ts'

const problemsOf = (from: string, to: string) => {
  const { error } = Period.safeParse({ from, to })
  return error ? messagesOf(error).map(({ path, message }) => `${path} ${message.key}`) : []
}

test.each(['0000-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '9990-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
  'of a period, %s is refused by its year alone',
  (at) => {
    expect(problemsOf(at, at)).toEqual(['from fields.rule.instantRange', 'to fields.rule.instantRange'])
  },
)

test('what is worked out from an instant that was given can be said as an instant', () => {
  for (const at of ['1000-01-01T00:00:00+14:00', '9989-12-31T23:59:59-12:00']) {
    expect(GivenInstant.safeParse(at).success, at).toBe(true)
    for (const days of [-800, 800])
      expect(Instant.safeParse(new Date(Date.parse(at) + days * 86_400_000).toISOString()).success, at).toBe(true)
  }
})

test('of what is no instant only that is said', () => {
  expect(problemsOf('x', '9999-99')).toEqual(['from fields.format.datetime', 'to fields.format.datetime'])
})

test('a web address has no control characters or halves of signs, and is bounded in bytes too', () => {
  const address = webAddress(/^https?$/, 200)
  for (const fine of ['https://a.test/x?y=1#z', 'http://münchen.test/über'])
    expect(address.safeParse(fine).success, fine).toBe(true)
  for (const wrong of ['\u0000', '\ud800', '\u0085', '漢'.repeat(70), 'x'.repeat(190)])
    expect(address.safeParse(`https://a.test/${wrong}b`).success, JSON.stringify(wrong)).toBe(false)
  expect(address.safeParse('javascript:alert(1)').success).toBe(false)
})

test.each([
  ['http://evil.test', 'http: //evil. test'],
  ['See HTTPS://Evil.test/pay.', 'See HTTPS: //Evil. test/pay.'],
  ['Win at www.evil.test now', 'Win at www. evil. test now'],
  ['pay: evil.com.ng/pay?x=1', 'pay: evil. com. ng/pay?x=1'],
  ['café.com/pay', 'café. com/pay'],
  ['ｅｖｉｌ．ｃｏｍ／pay', 'evil. com/pay'],
])('a link is refused in a name, and parted in other texts: %s', (written, parted) => {
  expect(personalName(120).safeParse(written).success).toBe(false)
  expect(withoutLink(written)).toBe(parted)
  expect(withoutLink(parted)).toBe(parted)
})

test.each([
  'H.No/12',
  'D.No/4-5, 2nd Road',
  'St. John/Paul',
  ...['St. Mary', 'No.5', 'v2.1', '8.5 °C', '20.11.2026', 'J. R. R. Smith', 'Müller e.V.'],
  'c/o M. Müller',
  '24/7 e.V. / Nord',
  '½ pallet, 4.5/6',
  '',
])('a text without a link is left as it is: %s', (written) => {
  expect(withoutLink(written)).toBe(written)
  if (written) expect(personalName(120).safeParse(written).success).toBe(true)
})

test.each([
  ['Booking.com', 'Booking.\u200bcom'],
  ['win at evil.com.ng', 'win at evil.\u200bcom.\u200bng'],
  ['ｅｖｉｌ．ｃｏｍ', 'evil.\u200bcom'],
  ['пример.рф', 'пример.\u200bрф'],
  ['GmbH & Co.KG', 'GmbH & Co.\u200bKG'],
])('a bare domain may be a name, which looks as before and is no link: %s', (written, parted) => {
  expect(personalName(120).safeParse(written).success).toBe(true)
  expect(withoutLink(written)).toBe(parted)
  expect(withoutLink(parted)).toBe(parted)
})

test('a text that nobody sees is empty, whatever it is made of', () => {
  const faultsOf = (written: string) => messagesOf(text(20).safeParse(written).error ?? { issues: [] })
  for (const unseen of ['\u200b', '\u200d \ufe0f', '\u3164', '\u2060\u00ad', '\u2800', '\ufeff'])
    expect(faultsOf(unseen), JSON.stringify(unseen)).toEqual([
      { path: '', message: { key: 'fields.required', values: {} } },
    ])
  for (const seen of ['👩\u200d🚀', '🏴\u{e0067}\u{e0062}\u{e007f}', 'می\u200cخواهم', '-'])
    expect(text(20).parse(seen)).toBe(seen)
})

test('one name is one text, however it was typed', () => {
  for (const schema of [text(20), paragraph(20), personalName(20)]) expect(schema.parse('Cafe\u0301 ')).toBe('Café')
})

test('links of a text of any length are found quickly', () => {
  const since = performance.now()
  for (const long of ['a'.repeat(20_000), 'a.'.repeat(10_000), 'a-'.repeat(10_000), 'é.com'.repeat(4_000)])
    withoutLink(long)
  expect(performance.now() - since).toBeLessThan(2_000)
})

test('a country is one that there is', () => {
  for (const code of ['NG', 'SJ', 'XK']) expect(Country.parse(code)).toBe(code)
  for (const code of ['ng', 'ZZ', 'UK', 'EU', 'XX', '', 'NGA'])
    expect(Country.safeParse(code).success, code).toBe(false)
})
