import type { QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { describe, expect, test } from 'vitest'
import { isMixed } from './fruit-types.ts'

const product = (name: string, hsCode: string | null = null, quantityUnit: QuantityUnit | null = null) => ({
  ...{ product: name, hsCode, quantityUnit },
})

describe('names without HS codes are compared without case, accents, signs and plural', () => {
  test.each([
    ['Oranges', 'Orange'],
    ['ORANGES ', 'oranges'],
    ['Peaches', 'peach'],
    ['Cherries', 'Cherry'],
    ['Mangoes', 'Mango'],
    ['Mangos', 'Mango'],
    ['Table grapes', 'Table-grape'],
    ['Citrus', 'citrus'],
    ['Pêches', 'peche'],
    ['Pruneaux', 'Pruneau'],
    ['Ananas', 'ananas'],
    ['Limón', 'Limones'],
    ['Aguacate', 'aguacates'],
    ['Nuez', 'Nueces'],
    ['Naranja', 'NARANJAS'],
    ['Chungwa', 'Machungwa'],
    ['Embe', 'Maembe'],
    ['Zabibu', 'zabibu'],
  ])('%s and %s are one type', (one, two) => {
    expect([isMixed([product(one), product(two)]), isMixed([product(two), product(one)])]).toEqual([false, false])
  })

  test.each([
    ['Oranges', 'Lemons'],
    ['Lemons', 'Limes'],
    ['Lima', 'Limón'],
    ['Pears', 'Peas'],
    ['Poire', 'Pomme'],
    ['Chungwa', 'Chenza'],
    ['Peaches', 'Pears'],
    ['Oranges', 'Blood oranges'],
  ])('%s and %s are two', (one, two) => {
    expect(isMixed([product(one), product(two)])).toBe(true)
  })
})

describe('HS codes come first where both have one', () => {
  test.each([
    ['another name of one fruit', product('Navels', '080510'), product('Oranges', '080510'), false],
    ['national digits do not count', product('Navels', '0805102000'), product('Oranges', '08051080'), false],
    ['one name, two codes', product('Oranges', '080510'), product('Oranges', '080521'), true],
    ['a code of several fruits, two names', product('Lemons', '080550'), product('Limes', '080550'), true],
    ['a code of several fruits, one name', product('Lemons', '080550'), product('lemon', '080550'), false],
    ['peaches and nectarines', product('Peaches', '080930'), product('Nectarines', '080930'), true],
    ['other fruit', product('Litchis', '081090'), product('Pomegranates', '081090'), true],
    ['only one has a code: one name', product('Oranges', '080510'), product('orange'), false],
    ['only one has a code: two names', product('Oranges', '080510'), product('Lemons'), true],
  ])('%s', (_, one, two, mixed) => {
    expect([isMixed([one, two]), isMixed([two, one])]).toEqual([mixed, mixed])
  })

  test('each is compared with each', () => {
    const many = [product('Oranges', '080510'), product('Navels', '080510'), product('Lemons', '080550')]
    expect([isMixed(many), isMixed(many.slice(0, 2)), isMixed([]), isMixed(many.slice(2))]).toEqual([
      ...[true, false, false, false],
    ])
  })
})

test('several types of package are mixed, units of weight are none', () => {
  const units = (...all: (QuantityUnit | null)[]) => isMixed(all.map((unit) => product('Oranges', null, unit)))
  expect([units('carton', 'crate'), units('carton', 'carton'), units('carton', 'kg'), units('bag', null)]).toEqual([
    ...[true, false, false, false],
  ])
})
