import { expect, test } from 'vitest'
import { cheaperBundle, netOfUnits } from './unit-price.ts'

const prices = {
  bundles: [{ units: 1_000, amount: 550_000 }],
  rates: [
    { units: 1, amount: 600 },
    { units: 500, amount: 290_000 },
  ],
}

test.each([
  [1_000, 550_000],
  [1, 600],
  [499, 299_400],
  [500, 290_000],
  [501, 290_580],
])('%i units cost %i', (units, net) => {
  expect(netOfUnits(units, prices)).toBe(net)
})

test('a part of a minor unit counts as a whole one', () => {
  expect(netOfUnits(2, { bundles: [], rates: [{ units: 3, amount: 100 }] })).toBe(67)
})

test('without a rate only bundles are sold', () => {
  expect(netOfUnits(999, { ...prices, rates: [] })).toBeNull()
})

test('more units may cost less', () => {
  expect(cheaperBundle(960, netOfUnits(960, prices) ?? 0, prices)).toEqual({ units: 1_000, amount: 550_000 })
  expect(cheaperBundle(900, netOfUnits(900, prices) ?? 0, prices)).toBeUndefined()
  expect(cheaperBundle(1_000, 550_000, prices)).toBeUndefined()
})
