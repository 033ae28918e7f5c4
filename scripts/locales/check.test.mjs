import { expect, test } from 'vitest'
import { checkLocales } from './check.mjs'

const faults = (en, fr, language = 'fr') => checkLocales({ en: { users: en }, [language]: { users: fr } })

test('the same keys with the same variables are complete', () => {
  expect(faults({ a: { b: 'Hello {{name}}' } }, { a: { b: 'Bonjour {{name}}' } })).toEqual([])
})

test.each([
  ['a missing key', { a: 'A' }, {}, 'fr users.a: missing'],
  ['a missing namespace counts as its keys', { a: { b: 'A' } }, {}, 'fr users.a.b: missing'],
  ['a superfluous key', {}, { a: 'A' }, 'fr users.a: not in en'],
  ['an empty text', { a: 'A' }, { a: ' ' }, 'fr users.a: empty'],
  ['another variable', { a: 'A {{x}}' }, { a: 'A {{y}}' }, 'variables are "y", in en "x"'],
  ['a missing tag', { a: '<1>A</1>' }, { a: 'A' }, 'tags are ""'],
  ['an English sentence', { a: 'Send the mail again' }, { a: 'Send the mail again' }, 'not translated'],
])('%s is a fault', (_what, en, fr, message) => {
  expect(faults(en, fr)).toEqual([expect.stringContaining(message)])
})

test('a name or unit may be the same in both languages', () => {
  expect(faults({ a: 'Isotherm', b: '{{value}} °C' }, { a: 'Isotherm', b: '{{value}} °C' })).toEqual([])
})

test('plurals are those of the language: French has a form for millions, Swahili has not', () => {
  const en = { n_one: '{{count}} user', n_other: '{{count}} users' }
  const two = { n_one: 'x {{count}}', n_other: 'y {{count}}' }
  expect(faults(en, two)).toEqual(['fr users.n_many: missing'])
  expect(faults(en, two, 'sw')).toEqual([])
  expect(faults(en, { ...two, n_few: 'z' }, 'sw')).toEqual([expect.stringContaining('n_few: not in en')])
})

test('the singular need not repeat the count', () => {
  const en = { n_one: 'One user', n_other: '{{count}} users' }
  expect(faults(en, { n_one: 'Mtumiaji mmoja', n_other: 'Watumiaji {{count}}' }, 'sw')).toEqual([])
})
