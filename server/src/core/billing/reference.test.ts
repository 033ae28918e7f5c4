import { expect, test } from 'vitest'
import { companyIn, isByItself, newReference, renewalReference } from './reference.ts'

const [secret, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

test.each([1, 35, 36, 2_147_483_647])('a reference names company %i and this installation', (companyId) => {
  const reference = newReference(secret, companyId)
  // Paystack takes no other signs.
  expect(reference).toMatch(/^[a-z0-9-]{20,60}$/)
  expect(companyIn(secret, reference)).toBe(companyId)
  expect(companyIn(other, reference)).toBeNull()
  expect(newReference(secret, companyId)).not.toBe(reference)
})

test('anything else names no company', () => {
  const [iso, installation] = newReference(secret, 1).split('-')
  for (const text of ['', 'iso-', 'T123456', `${iso}-${installation}`, `${iso}-${installation}-0-p-x`])
    expect(companyIn(secret, text)).toBeNull()
  // More companies than there can be.
  expect(companyIn(secret, `${iso}-${installation}-zzzzzz-p-x`)).toBeNull()
  expect(companyIn(secret, `${iso}-${installation}-zzzzzzz-p-x`)).toBeNull()
})

test('what nobody began is told from what a person pays', () => {
  const renewal = renewalReference(secret, 7, { subscription: '12', cycle: 3, attempt: 1 })
  const of = [renewal, newReference(secret, 7, 't'), newReference(secret, 7), newReference(secret, 1000)]
  expect(of.map(isByItself)).toEqual([true, true, false, false])
})
