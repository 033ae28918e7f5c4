import { expect, test } from 'vitest'
import { checkOneWord } from './one-word.mjs'

const faults = (language, english, text, key = 'users.a', englishKey = key) =>
  checkOneWord({ en: new Map([[englishKey, english]]), [language]: new Map([[key, text]]) })

test.each([
  ['es', 'Out of range', 'Fuera de los límites'],
  ['es', 'In range', 'Dentro del rango'],
  ['fr', 'Last reading', 'Dernier relevé'],
  ['fr', 'By mail', 'Par mail'],
  ['sw', 'Excursions', 'Mikengeuko'],
])('%s: another word for "%s" is refused: %s', (language, english, text) => {
  expect(faults(language, english, text)).toEqual([expect.stringMatching(`^${language} users.a: `)])
})

test.each([
  ['es', 'Out of range', 'Fuera de rango'],
  ['fr', 'Presets', 'Préréglages'],
  ['es', 'Within its limits', 'Dentro de sus límites'],
  ['fr', 'By mail to {{mail}}', 'Par e-mail à {{mail}}'],
  ['fr', 'Offset', 'Écart'],
])('%s: the word for "%s", or a word for something else, is right: %s', (language, english, text) => {
  expect(faults(language, english, text)).toEqual([])
})

test('a plural form that English has not is compared with its general form', () => {
  expect(faults('es', '{{count}} readings', '{{count}} mediciones', 'users.a_many', 'users.a_other')).toHaveLength(1)
})
