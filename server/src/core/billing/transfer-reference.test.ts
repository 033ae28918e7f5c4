import { expect, test } from 'vitest'
import { names, transferReference } from './transfer-reference.ts'

const of = { companyId: 87, year: '2026', number: 7 }
const reference = transferReference(of)

test('a reference is short, and names the company and the invoice', () => {
  expect(reference).toMatch(/^IS-2F-26-0007-[A-Y]$/)
  expect(transferReference({ ...of, number: 12_345 })).toMatch(/^IS-2F-26-12345-[A-Y]$/)
})

test('one wrong digit, or two that changed places, make another letter', () => {
  const letter = (text: string) => text.at(-1)
  for (const [companyId, number] of [
    [87, 8],
    [87, 1_007],
    [87, 70],
    [88, 7],
  ] as const)
    expect(letter(transferReference({ ...of, companyId, number }))).not.toBe(letter(reference))
})

test.each([
  reference,
  reference.toLowerCase(),
  reference.replaceAll('-', ''),
  `SEPA ${reference.replaceAll('-', ' ')} ACME`,
])('%j names it', (text) => {
  expect(names(text, reference)).toBe(true)
})

test('another one, or a part of it, does not', () => {
  expect(names(transferReference({ ...of, number: 8 }), reference)).toBe(false)
  expect(names(reference.slice(0, -1), reference)).toBe(false)
})
