import { expect, test } from 'vitest'
import { checkFrenchSpaces, withFrenchSpaces } from './french-spaces.mjs'

test.each([
  ['Prêt : oui', 'Prêt\u00a0: oui'],
  ['Prêt ? Oui ! Non ; rien', 'Prêt\u202f? Oui\u202f! Non\u202f; rien'],
  ['Humidité 50 %', 'Humidité 50\u00a0%'],
  ['Le champ « jws ».', 'Le champ «\u00a0jws\u00a0».'],
  ['Dès {{at}} : « {{name}} » ?', 'Dès {{at}}\u00a0: «\u00a0{{name}}\u00a0»\u202f?'],
  ['<1>Prêt</1> ?', '<1>Prêt</1>\u202f?'],
  ['Prêt\u00a0?', 'Prêt\u202f?'],
])('%j becomes %j, and stays so', (text, spaced) => {
  expect(withFrenchSpaces(text)).toBe(spaced)
  expect(withFrenchSpaces(spaced)).toBe(spaced)
})

test.each(['À 10:30', 'https://exemple.fr/a?b=1', '`a ? b : c`', '{{at, date(a : b)}}', 'Humidité (%)', 'Quoi?'])(
  '%j stays as it is',
  (text) => {
    expect(withFrenchSpaces(text)).toBe(text)
  },
)

test('the percent sign has the space that Intl gives it', () => {
  expect(withFrenchSpaces('50 %')).toBe(new Intl.NumberFormat('fr', { style: 'percent' }).format(0.5))
})

test('a plain space before a sign is a fault of its text', () => {
  const texts = new Map([
    ['users.a', 'Prêt ?'],
    ['users.b', 'Prêt\u202f?'],
  ])
  expect(checkFrenchSpaces(texts)).toEqual([expect.stringMatching(/^fr users\.a: /)])
})
