import { expect, test } from 'vitest'
import { unbroken } from '../../vite-french.ts'

test.each([
  ['Prévenus : Ada', 'Prévenus\u00a0: Ada'],
  ['Résoudre quand même ?', 'Résoudre quand même\u00a0?'],
  ['Supprimer « {{name}} » ?', 'Supprimer «\u00a0{{name}}\u00a0»\u00a0?'],
  ['{{count}} : oui', '{{count}}\u00a0: oui'],
])('no line breaks before the marks of %s', (text, written) => expect(unbroken(text)).toBe(written))

test('what is no French mark stays as it is', () => {
  for (const text of ['12:30 – 13:00', '{ "key": "a text" }', 'https://example.test/?a=1'])
    expect(unbroken(text)).toBe(text)
})
