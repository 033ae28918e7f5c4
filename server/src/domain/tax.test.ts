import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withTaxes } from './tax.ts'

const vat = { name: 'VAT', basisPoints: 750 }

test('one rate on a net sum', () => {
  expect(withTaxes(550_000, [vat])).toEqual({ net: 550_000, taxes: [{ ...vat, amount: 41_250 }], total: 591_250 })
})

test('half a minor unit counts up', () => {
  expect(withTaxes(2, [{ name: 'VAT', basisPoints: 2_500 }]).total).toBe(3)
  expect(withTaxes(1, [{ name: 'VAT', basisPoints: 4_999 }]).total).toBe(1)
})

test('several rates count beside each other, none leaves the net sum as it is', () => {
  const levies = [
    { name: 'VAT', basisPoints: 1_500 },
    { name: 'NHIL', basisPoints: 250 },
    { name: 'GETFund', basisPoints: 250 },
  ]
  expect(withTaxes(10_001, levies)).toMatchObject({
    taxes: [{ amount: 1_500 }, { amount: 250 }, { amount: 250 }],
    total: 12_001,
  })
  expect(withTaxes(10_001, [])).toEqual({ net: 10_001, taxes: [], total: 10_001 })
})

test('the total is exact for the largest prices', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e13 }), fc.integer({ min: 0, max: 10_000 }), (net, basisPoints) => {
      const { taxes, total } = withTaxes(net, [{ name: 'VAT', basisPoints }])
      const exact = (BigInt(net) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n
      expect(BigInt(taxes[0]?.amount ?? -1)).toBe(exact)
      expect(BigInt(total)).toBe(BigInt(net) + exact)
    }),
  )
})
