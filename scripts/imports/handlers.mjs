import { withoutComments } from '../sources.mjs'

const app = 'server/src/app.ts'
const HANDLERS = /\b[a-z]\w*Handlers\b/g
const IMPORT = /\bimport\b[^'"`;]*?\bfrom\b/g
const DEFINITION = /\bexport\s+(?:const|function)\s+[a-z]\w*Handlers\b/g

/**
 * Finds uses of handlers (`userHandlers`) other than giving them to `serve` in app.ts, which alone checks the guard and the input
 * of a call before it. Resolves with one line for each fault.
 */
export function checkHandlers(files) {
  const faults = []
  for (const [path, text] of files) {
    if (!path.startsWith('server/src/') || /\.test\.ts$/.test(path)) continue
    let code = blank(withoutComments(text), DEFINITION)
    if (path === app) code = withoutServe(blank(code, IMPORT, (found) => !/Handlers\s+as\b/.test(found)))
    for (const match of code.matchAll(HANDLERS))
      faults.push(`${path}:${lineOf(code, match.index)} ${match[0]} may be given to serve in ${app} only`)
  }
  return faults
}

const spaces = (text) => text.replace(/[^\n]/g, ' ')
const blank = (code, pattern, isBlanked = () => true) =>
  code.replace(pattern, (found) => (isBlanked(found) ? spaces(found) : found))
const lineOf = (code, index) => code.slice(0, index).split('\n').length

/** Blanks every call of `serve`, up to its closing bracket. */
function withoutServe(code) {
  let rest = code
  for (const { index } of code.matchAll(/\bserve\(/g)) {
    let depth = 0
    let end = index + 'serve'.length
    do {
      if (rest[end] === '(') depth += 1
      if (rest[end] === ')') depth -= 1
      end += 1
    } while (depth > 0 && end < rest.length)
    rest = rest.slice(0, index) + spaces(rest.slice(index, end)) + rest.slice(end)
  }
  return rest
}
