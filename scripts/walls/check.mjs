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
  for (const line of page.split('\n').slice(tableStart(page))) {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
    if (cells.length !== 4) continue
    const [code, , answer, tests] = cells
    if (rows.has(code)) faults.push(`${code} has two rows`)
    rows.set(code, tests)
    if (!tests.trim() && !answer.includes('(status.md)')) faults.push(`${code} has no test, and no answer in status.md`)
    for (const named of tests.split('<br>').filter((each) => each.trim())) {
      const fault = faultOf(named.trim(), read)
      if (fault) faults.push(`${code}: ${fault}`)
    }
  }
  for (const code of codes) if (!rows.has(code)) faults.push(`${code} has no row`)
  for (const code of rows.keys()) if (!codes.includes(code)) faults.push(`${code} is no code`)
  return faults
}

const tableStart = (page) => page.split('\n').findIndex((line) => /^\|[-|]+\|$/.test(line)) + 1

function faultOf(named, read) {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(named) ?? []
  if (!path) return `"${named}" is not \`file\`: name of a test`
  const text = read(path)
  if (text === null) return `there is no ${path}`
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (!new RegExp(`\\(\\s*(['"\`])${escaped}\\1,`).test(text)) return `${path} has no test "${title}"`
  return /\b(?:test|it|describe)\.(?:skip|todo)\b/.test(text) ? `${path} skips tests` : null
}
