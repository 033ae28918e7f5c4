import { expect, test } from 'vitest'
import { quotaNames } from '../config/quotas.ts'
import { locksOfAll, locksOfCompany } from './advisory-locks.ts'

test('no purpose has the number of another, and no quota either', () => {
  const { quotas, ...others } = locksOfCompany
  const ofQuotas = quotaNames.map((_, index) => quotas + index)
  const all = [...ofQuotas, ...Object.values(others), ...Object.values(locksOfAll)]
  expect(new Set(all).size).toBe(all.length)
})
