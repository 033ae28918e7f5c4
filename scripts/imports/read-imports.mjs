import { withoutComments } from '../sources.mjs'

const STATEMENT = /(?:^|[;}\n])\s*(import|export)\b([^'"`;]*?)\bfrom\s*(['"])([^'"\n]+)\3/g
const BARE = /(?:^|[;}\n])\s*import\s*(['"])([^'"\n]+)\1/g
const DYNAMIC = /\bimport\(\s*(['"])([^'"\n]+)\1/g

/** The imports of a module's text: specifier, whether types only (then nothing is loaded), and the line. */
export function readImports(text) {
  const code = withoutComments(text)
  const found = []
  const add = (match, specifier, type) =>
    found.push({ specifier, type, line: code.slice(0, match.index + match[0].length).split('\n').length })
  for (const match of code.matchAll(STATEMENT)) add(match, match[4], isTypeOnly(match[2]))
  for (const match of code.matchAll(BARE)) add(match, match[2], false)
  for (const match of code.matchAll(DYNAMIC)) add(match, match[2], false)
  return found
}

/** `import type ...`, or every name in the braces marked `type`. */
function isTypeOnly(clause) {
  if (/^\s*type\b(?!\s*,)/.test(clause)) return true
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]
  if (!names?.trim()) return false
  return names
    .split(',')
    .filter((name) => name.trim())
    .every((name) => /^\s*type\s/.test(name))
}
