import { expect, test } from 'vitest'
import { namesOfProducts, sharedRange } from './shipment-products.ts'

const range = (minC: number | null, maxC: number | null) => ({ minC, maxC })

test.each([
  ['one product', [range(2, 8)], range(2, 8), null],
  ['no limits', [range(null, null), range(null, null)], range(null, null), null],
  ['the strictest of each side', [range(2, 8), range(3, 9), range(null, 7)], range(3, 7), null],
  ['a single temperature is a range', [range(2, 4), range(4, 8)], range(4, 4), null],
  ['below zero', [range(-1, 1), range(-0.5, 0.5)], range(-0.5, 0.5), null],
  ['none, by the two that are furthest apart', [range(0, 20), range(13, 14), range(-1, 0.5)], range(13, 0.5), [1, 2]],
  ['none, where the first one is the warmest', [range(13, 14), range(-1, 0), range(0, 1)], range(13, 0), [0, 1]],
] as const)('%s', (_, products, shared, crossed) => {
  expect(sharedRange(products)).toEqual({ ...shared, crossed: crossed && { low: crossed[0], high: crossed[1] } })
})

test('products are named one after the other, each with its variety', () => {
  const names = [
    { product: 'Oranges', variety: 'Valencia' },
    { product: 'Lemons', variety: null },
  ]
  expect(namesOfProducts(names)).toBe('Oranges, Valencia; Lemons')
})
