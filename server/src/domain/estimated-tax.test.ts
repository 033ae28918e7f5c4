import { expect, test } from 'vitest'
import { estimatedTax } from './estimated-tax.ts'

const day = '2026-11-23'
const sum = (taxed: number, country: string, on = day) =>
  estimatedTax(taxed, [country, country], on).taxes.reduce((total, { amount }) => total + amount, 0)

test('each country has its standard rate, by parts where it has several', () => {
  expect(sum(10_000, 'NG')).toBe(750)
  expect(sum(10_000, 'KE')).toBe(1600)
  expect(sum(10_000, 'CI')).toBe(1800)
  expect(sum(10_000, 'SN')).toBe(1800)
  expect(estimatedTax(10_000, ['GH', 'GH'], day)).toEqual({
    taxes: [
      { name: 'VAT', basisPoints: 1500, amount: 1500 },
      { name: 'NHIL', basisPoints: 250, amount: 250 },
      { name: 'GETFund', basisPoints: 250, amount: 250 },
    ],
    ...{ taxNote: null, taxCountry: 'GH', taxSince: '2026-01-01', isTaxVerified: false },
  })
})

test('half a minor unit is rounded up, once', () => {
  expect(sum(3, 'NG')).toBe(0)
  expect(sum(7, 'NG')).toBe(1)
  expect(sum(20, 'NG')).toBe(2)
})

test('a rate counts from its day on', () => {
  expect(sum(10_000, 'GH', '2026-01-01')).toBe(2000)
  expect(estimatedTax(10_000, ['GH', 'GH'], '2025-12-31')).toMatchObject({ taxes: [], taxNote: 'notEstimated' })
})

test('there is none across a border, where a country has none, and where nothing is known', () => {
  expect(estimatedTax(10_000, ['NG', 'NG', 'BJ'], day)).toMatchObject({ taxes: [], taxNote: 'crossBorder' })
  expect(estimatedTax(10_000, ['HK', 'HK'], day)).toMatchObject({ taxes: [], taxNote: 'none', taxCountry: 'HK' })
  for (const countries of [['US', 'US'], ['XX'], [null, 'NG'], [null, null], []])
    expect(estimatedTax(10_000, countries, day), String(countries)).toMatchObject({
      taxes: [],
      taxNote: 'notEstimated',
    })
  expect(estimatedTax(10_000, [null, 'NG', 'GH'], day)).toMatchObject({ taxNote: 'crossBorder' })
})
