import { faultsOfTests, rowsOf } from './table.mjs'

const upTo = (letter, last) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`)
/** All that was tried against the product. */
export const codes = ['C1', ...upTo('H', 4), ...upTo('M', 12), ...upTo('L', 29), ...upTo('UX', 3)]

/**
 * Checks that each code has a row, and each row tests that there are.
 * @param {string} page text of docs/walls.md
 * @param {(path: string) => string | null} read text of a file; null where there is none
 * @returns {string[]} a line per fault
 */
export function checkWalls(page, read) {
  const faults = []
  const rows = new Map()
  for (const [code, , answer, tests] of rowsOf(page, 4)) {
    if (rows.has(code)) faults.push(`${code} has two rows`)
    rows.set(code, tests)
    if (!tests.trim() && !answer.includes('(status.md)')) faults.push(`${code} has no test, and no answer in status.md`)
    faults.push(...faultsOfTests(tests, read).map((fault) => `${code}: ${fault}`))
  }
  for (const code of codes) if (!rows.has(code)) faults.push(`${code} has no row`)
  for (const code of rows.keys()) if (!codes.includes(code)) faults.push(`${code} is no code`)
  return faults
}
