/**
 * Reads the first table of a page.
 * @param {string} page
 * @param {number} width of a row; other lines are none
 * @returns {string[][]} the cells of each row
 */
export function rowsOf(page, width) {
  const lines = page.split('\n')
  const cells = (line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
  return lines
    .slice(tableStart(lines))
    .map(cells)
    .filter((row) => row.length === width)
}

const tableStart = (lines) => lines.findIndex((line) => /^\|[-|]+\|$/.test(line)) + 1

/**
 * Checks the tests that a cell names, as `file`: name of a test, with <br> between them.
 * @param {string} cell
 * @param {(path: string) => string | null} read text of a file; null where there is none
 * @returns {string[]} a line per fault
 */
export const faultsOfTests = (cell, read) =>
  cell
    .split('<br>')
    .filter((each) => each.trim())
    .flatMap((named) => faultOf(named.trim(), read) ?? [])

function faultOf(named, read) {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(named) ?? []
  if (!path) return `"${named}" is not \`file\`: name of a test`
  const text = read(path)
  if (text === null) return `there is no ${path}`
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (!new RegExp(`\\(\\s*(['"\`])${escaped}\\1,`).test(text)) return `${path} has no test "${title}"`
  return /\b(?:test|it|describe)\.(?:skip|todo)\b/.test(text) ? `${path} skips tests` : null
}
