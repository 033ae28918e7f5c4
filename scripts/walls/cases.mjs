import { faultsOfTests, rowsOf } from './table.mjs'

/** The calls of commerce whose edges are in docs/commerce-cases.md, and what holds for all of them. */
export const calls = [
  'all',
  'GET enterprise/plans',
  'GET enterprise/subscriptions',
  'POST enterprise/subscriptions',
  'POST payment-events',
  'POST enterprise/billings',
  'GET enterprise/billings/:id/pdf',
  'POST enterprise/cards',
  'DELETE enterprise/cards/:id',
  'DELETE enterprise/subscription/cancel/:id',
  'DELETE enterprise/cancelDeviceSubscription/:id',
  'GET enterprise/fetchActiveSubscribedDevices',
  'GET enterprise/fetchActiveLicense',
  'POST enterprise/addLicense',
  'POST enterprise/fetchLicense',
  'GET wallet',
  'PATCH wallet/:id',
  'POST wallet/sms/purchase',
  'POST wallet/sms/customPurchase',
  'GET enterprise/features',
  'POST enterprise/features',
  'POST enterprise/support',
  'POST enterprise/gricd',
  'paying',
]

/**
 * Checks that each call has cases, each case an answer and tests that there are.
 * @param {string} page text of docs/commerce-cases.md
 * @param {(path: string) => string | null} read text of a file; null where there is none
 * @returns {string[]} a line per fault
 */
export function checkCases(page, read) {
  const faults = []
  const known = new Set()
  for (const [call, tried, answer, tests] of rowsOf(page, 4)) {
    known.add(call)
    const name = `${call}, ${tried}`
    if (!calls.includes(call)) faults.push(`${call} is no call of the list`)
    if (!answer.trim()) faults.push(`${name}: no answer`)
    if (!tests.trim()) faults.push(`${name}: no test`)
    faults.push(...faultsOfTests(tests, read).map((fault) => `${name}: ${fault}`))
  }
  for (const call of calls) if (!known.has(call)) faults.push(`${call} has no case`)
  return faults
}
