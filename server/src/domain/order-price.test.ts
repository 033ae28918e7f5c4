import { expect, test } from 'vitest'
import { feeOf, priceOf } from './order-price.ts'

const card = { base: 1_000, perKm: 150, perKg: 20, perStop: 500 }
const order = {
  card,
  deliveryFee: null,
  otherLines: [],
  ...{ distanceM: 12_345, weightG: 2_500, stops: 2, currency: 'NGN', countries: ['NG', 'NG'], day: '2026-11-23' },
}

test('a fee by the card is its base, its kilometres, kilograms and stops, each rounded once', () => {
  // 1000 + 1851.75 + 50 + 1000
  expect(feeOf(card, order)).toBe(3_902)
})

test('a typed fee counts instead of the card, even nothing', () => {
  expect(priceOf({ ...order, deliveryFee: 7_000 })).toMatchObject({ net: 7_000, total: 7_525 })
  expect(priceOf({ ...order, deliveryFee: 0 })).toMatchObject({ net: 0, total: 0 })
})

test('a price says whether its fee is that of the card', () => {
  expect(priceOf(order)?.lines).toMatchObject([{ kind: 'delivery', amount: 3_902, isByCard: true }])
  expect(priceOf({ ...order, deliveryFee: 3_902 })?.lines).toMatchObject([{ amount: 3_902, isByCard: false }])
})

test('lines are taxed together, and the sum of what is shown is the total', () => {
  const price = priceOf({ ...order, otherLines: [{ label: 'Night', amount: 333 }] })
  expect(price).toMatchObject({ net: 4_235, taxes: [{ amount: 318 }], total: 4_553, taxCountry: 'NG' })
})

test('there is no price where nobody asks for money', () => {
  expect(priceOf({ ...order, card: { base: 0, perKm: 0, perKg: 0, perStop: 0 } })).toBeNull()
})
