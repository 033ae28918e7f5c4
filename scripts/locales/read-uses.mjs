// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read is written out here
const opening = { '(': ')', '[': ']', '{': '}' }

/** Where the string or template that begins at `at` ends: the index behind its last quote. */
function behindQuotes(source, at) {
  const quote = source[at]
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === '\\') i++
    else if (quote === '`' && source.startsWith('${', i)) i = behindBrackets(source, i + 1) - 1
    else if (source[i] === quote) return i + 1
  }
  return source.length
}

/** Where the bracket that opens at `at` closes: the index behind it. */
function behindBrackets(source, at) {
  for (let i = at + 1; i < source.length; ) {
    const sign = source[i]
    if (sign === opening[source[at]]) return i + 1
    if (opening[sign]) i = behindBrackets(source, i)
    else if (sign === "'" || sign === '"' || sign === '`') i = behindQuotes(source, i)
    else i++
  }
  return source.length
}

/** Cuts an expression where `isCut(expression, index)` gives the length of a separator outside brackets and quotes. */
function cut(expression, isCut, most = Number.POSITIVE_INFINITY) {
  const parts = []
  let from = 0
  for (let i = 0; i < expression.length; ) {
    const length = parts.length < most ? isCut(expression, i) : 0
    if (length) {
      parts.push(expression.slice(from, i).trim())
      i += length
      from = i
    } else if (opening[expression[i]]) i = behindBrackets(expression, i)
    else if (`'"\``.includes(expression[i])) i = behindQuotes(expression, i)
    else i++
  }
  const last = expression.slice(from).trim()
  return last || parts.length === 0 ? [...parts, last] : parts
}

const commas = (text, i) => (text[i] === ',' ? 1 : 0)
const isQuestion = (text, i) => (text[i] === '?' && !/[?.]/.test(text[i + 1] ?? '') && text[i - 1] !== '?' ? 1 : 0)
const isColon = (text, i) => (text[i] === ':' ? 1 : 0)

/** The calls of functions whose name matches, outside comments: `{name, args, line}`, args as they are written. */
export function callsOf(source, names) {
  const found = []
  for (const match of source.matchAll(new RegExp(`(?<![\\w$.])(${names})\\(`, 'g'))) {
    const line = source.slice(source.lastIndexOf('\n', match.index) + 1, match.index)
    if (/^\s*(\*|\/\/|\/\*)/.test(line) || /function\s*$/.test(line)) continue
    const at = match.index + match[0].length - 1
    const inside = source.slice(at + 1, behindBrackets(source, at) - 1)
    found.push({
      name: match[1],
      args: inside.trim() ? cut(inside, commas) : [],
      line: source.slice(0, match.index).split('\n').length,
    })
  }
  return found
}

const literal = /^(['"])((?:[^'"\\]|\\.)*)\1$/

/**
 * The keys that an expression may be: a list of `{anyOf: [text, ...]}`, each of whose texts may have holes (\0) where a
 * value goes. Null where it cannot be read.
 */
export function keysOf(expression) {
  const text = expression.replace(/\s+as\s+(const|never|'[^']*'|\w+)$/, '').trim()
  const [condition, rest] = cut(text, isQuestion, 1)
  if (rest !== undefined && !text.startsWith('`') && condition !== '') {
    const [yes, no] = cut(rest, isColon, 1)
    const both = [yes, no].map((each) => (each === undefined ? null : keysOf(each)))
    return both.includes(null) ? null : both.flat()
  }
  if (text.startsWith('[') && behindBrackets(text, 0) === text.length) {
    const all = cut(text.slice(1, -1), commas).map(keysOf)
    return all.includes(null) ? null : [{ anyOf: all.flat().flatMap(({ anyOf }) => anyOf) }]
  }
  const found = text.match(literal)
  if (found) return [{ anyOf: [found[2]] }]
  if (text.startsWith('`') && behindQuotes(text, 0) === text.length) return [{ anyOf: [holed(text.slice(1, -1))] }]
  return null
}

function holed(template) {
  let out = ''
  for (let i = 0; i < template.length; ) {
    if (template.startsWith('${', i)) {
      out += '\0'
      i = behindBrackets(template, i + 1)
    } else out += template[i++]
  }
  return out
}

/** The names that an object literal gives, or null where it cannot be read (a spread, a variable). */
export function namesOf(expression) {
  if (!expression) return new Set()
  if (!expression.startsWith('{') || behindBrackets(expression, 0) !== expression.length) return null
  const names = new Set()
  for (const part of cut(expression.slice(1, -1), commas)) {
    if (!part) continue
    const name = part.match(/^(['"]?)([\w$]+)\1\s*(:|$)/)
    if (!name) return null
    names.add(name[2])
  }
  return names
}
