import { expect, test } from 'vitest'
import { creditOf, shareOf } from './credit.ts'

const price = {
  total: 591_250n,
  taxes: [
    { name: 'VAT', amount: 27_500 },
    { name: 'Levy', amount: 13_750 },
  ],
}

test('all of it has the net and the taxes of the whole', () => {
  expect(creditOf(price, 591_250n, 0n)).toEqual({ net: 550_000n, tax: 41_250n, taxes: price.taxes })
})

test.each([[[1n, 591_249n]], [[333_333n, 1n, 257_916n]], [Array.from({ length: 5 }, () => 118_250n)]])(
  'parts of it add up to the whole (%#)',
  (parts) => {
    let before = 0n
    const sums = { net: 0n, taxes: [0, 0] }
    for (const part of parts) {
      const { net, taxes, tax } = creditOf(price, part, before)
      expect(net + tax).toBe(part)
      sums.net += net
      sums.taxes = sums.taxes.map((sum, index) => sum + (taxes[index]?.amount ?? 0))
      before += part
    }
    expect(sums).toEqual({ net: 550_000n, taxes: [27_500, 13_750] })
  },
)

test('units are whole, and add up, too', () => {
  const parts = [0n, 1n, 2n].map((index) => shareOf(1_000, 100n, index * 100n, 300n))
  expect(parts).toEqual([333, 333, 334])
})
