import { callsOf, keysOf, namesOf } from './read-uses.mjs'

const PLURAL = /_(zero|one|two|few|many|other)$/

/**
 * Holds the code against the English texts. `files` are [path, source]; `texts` a Map of `namespace:key` to text; `known` what
 * cannot be read from a file (dynamic-keys.mjs). Returns a line per fault: a key that is not there, a value of a text that its
 * caller does not give, a key that nobody can read.
 */
export function checkUses(files, texts, known) {
  const index = indexOf(texts)
  const faults = []
  for (const [path, source] of files)
    for (const use of usesOf(path, source, known)) {
      const fault = faultOf(use, index, known.without[path] ?? [])
      if (fault) faults.push(`${path}:${use.line}: ${fault}`)
    }
  for (const [path, keys] of [...Object.entries(known.keys), ...Object.entries(known.without)]) {
    if (!files.some(([each]) => each === path)) faults.push(`dynamic-keys.mjs: there is no ${path}`)
    for (const key of keys)
      if (matching(index, key).length === 0) faults.push(`dynamic-keys.mjs: ${path}: no text ${shown(key)}`)
  }
  return faults
}

/** Keys without their plural endings, each with the values it needs. */
function indexOf(texts) {
  const index = new Map()
  for (const [key, text] of texts) {
    const stem = key.replace(PLURAL, '')
    const isPlural = stem !== key && texts.has(`${stem}_other`)
    const name = isPlural ? stem : key
    const values = index.get(name) ?? new Set()
    for (const [, value] of String(text).matchAll(/\{\{-?\s*(\w+)/g)) values.add(value)
    if (isPlural) values.add('count')
    index.set(name, values)
  }
  return index
}

/** `{line, what, keys, given}`; keys null: not readable, given null: any. */
function* usesOf(path, source, known) {
  if (path.startsWith('web/')) yield* screenUses(path, source, known)
  if (path.startsWith('server/')) yield* serverUses(path, source, known)
  if (!path.startsWith('server/')) yield* ruleUses(source)
}

function* screenUses(path, source, known) {
  const declared = [...source.matchAll(/useTranslation\(([^)]*)\)/g)].flatMap(([, args]) =>
    args.trim() ? [...args.matchAll(/'([\w]+)'/g)].map(([, name]) => name) : ['common'],
  )
  const namespaces = [...new Set([...declared, ...(known.namespaces[path] ?? [])])]
  for (const { name, args, line } of callsOf(source, 't|i18n\\.t')) {
    const spaces = name === 'i18n.t' || namespaces.length === 0 ? ['common'] : namespaces
    const keys = keysOf(args[0] ?? '')
    if (!keys && known.keys[path]) continue
    yield { line, what: args[0], keys: keys && within(keys, [...spaces, 'common']), given: namesOf(args[1]) }
  }
}

function* serverUses(path, source, known) {
  for (const { args, line } of callsOf(source, 'translate')) {
    const keys = keysOf(args[1] ?? '')
    if (!keys && known.keys[path]) continue
    // The definition of a shorthand: its uses are looked at instead.
    if (/\bkey\b/.test(args[1] ?? '')) continue
    yield { line, what: args[1], keys: keys && within(keys, ['errors']), given: namesOf(args[2]) }
  }
  for (const { name, prefix, values } of shorthands(path, source, known))
    for (const { args, line } of callsOf(source, name)) {
      const keys = keysOf(args[0] ?? '')
      if (!keys && known.keys[path]) continue
      const given = values ? namesOf(args[1]) : null
      yield { line, what: args[0], keys: keys && prefixed(keys, prefix), given }
    }
  for (const { args, line } of callsOf(source, 'AppError')) {
    const keys = keysOf(args[0] ?? '')
    // A code that is handed on was looked at where it came from.
    if (keys)
      yield { line, what: args[0], keys: prefixed(keys, 'errors:codes.'), given: also(namesOf(args[1]), 'requestId') }
  }
  for (const { args, line } of callsOf(source, 'invalidField')) {
    const keys = keysOf(args[1] ?? '')
    if (keys) yield { line, what: args[1], keys: prefixed(keys, 'errors:fields.'), given: namesOf(args[2]) }
  }
}

/** `const own = (key, values) => translate(locale, `ns:part.${key}`, values)` and what dynamic-keys.mjs names. */
function shorthands(path, source, known) {
  const found = [
    ...source.matchAll(
      /const (\w+) = \(key: string(?:, (values)\??[^)]*)?\)(?:: string)? =>\s*translate\(\s*[^,`]+,\s*`([^`$]*)\$\{key\}`/g,
    ),
  ].map(([, name, values, prefix]) => ({ name, prefix, values: values !== undefined }))
  const byName = new Map()
  // The nearest place counts, the file itself most of all.
  for (const each of known.shorthands.filter(({ within: place }) => path.startsWith(place)))
    if (each.within.length > (byName.get(each.name)?.within.length ?? 0)) byName.set(each.name, each)
  for (const each of found) byName.set(each.name, each)
  return byName.values()
}

/** The rules of zod schemas: `{ message: 'startAfterEnd', params: {...} }`, `.refine(test, 'rule')`, `.regex(form, 'format')`. */
function* ruleUses(source) {
  for (const { args, line } of callsOf(source.replaceAll('.refine(', ' refine('), 'refine')) {
    const key = args[1]?.match(/^'(\w+)'$/)
    if (key) yield { line, what: key[0], keys: rule(key[1]), given: new Set() }
  }
  for (const match of source.matchAll(/\{([^{}]*)\bmessage: '(\w+)'((?:[^{}]|\{[^{}]*\})*)\}/g)) {
    const line = source.slice(0, match.index).split('\n').length
    const params = match[3].match(/params: (\{[^{}]*\}|\w+)/)
    yield { line, what: match[2], keys: rule(match[2]), given: params ? namesOf(params[1]) : new Set() }
  }
  for (const match of source.matchAll(/\.regex\([^\n]+, '(\w+)'\)/g)) {
    const line = source.slice(0, match.index).split('\n').length
    yield { line, what: match[1], keys: [{ anyOf: [[`errors:fields.format.${match[1]}`]] }], given: new Set() }
  }
}

const rule = (name) => [{ anyOf: [[`errors:fields.rule.${name}`]] }]
const also = (given, name) => given && new Set([...given, name])
/** Each text becomes the full keys it may be, one for each namespace. */
const within = (keys, spaces) =>
  keys.map(({ anyOf }) => ({
    anyOf: anyOf.map((text) => (text.includes(':') ? [text] : spaces.map((space) => `${space}:${text}`))),
  }))
const prefixed = (keys, prefix) =>
  keys.map(({ anyOf }) => ({ anyOf: anyOf.map((text) => [text.includes(':') ? text : `${prefix}${text}`]) }))

function faultOf({ what, keys, given }, index, without) {
  if (!keys)
    return `nobody can read which text this is: ${shown(what)} (list its keys in scripts/locales/dynamic-keys.mjs)`
  for (const { anyOf } of keys) {
    const others = new Set(without.flatMap((key) => matching(index, key)))
    const candidates = anyOf.flat().map((key) => {
      const all = matching(index, key)
      const left = all.filter((name) => !others.has(name))
      return left.length > 0 ? left : all
    })
    const found = candidates.filter((names) => names.length > 0)
    if (found.length === 0) return `no text ${shown(anyOf.flat()[0])}`
    if (!given) continue
    const missing = found.map((names) => names.flatMap((name) => [...index.get(name)].filter((v) => !given.has(v))))
    if (missing.every((names) => names.length > 0))
      return `${shown(anyOf.flat()[0])} needs ${[...new Set(missing[0])].join(', ')}`
  }
  return null
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The keys that a text with holes may be; a hole is a part of a key, or several. */
function matching(index, key) {
  if (!key.includes('\0')) return index.has(key) ? [key] : []
  for (const hole of ['[^.:]+', '[^:]+']) {
    const pattern = new RegExp(`^${key.split('\0').map(escaped).join(hole)}$`)
    const found = [...index.keys()].filter((name) => pattern.test(name))
    if (found.length > 0) return found
  }
  return []
}

const shown = (text) => String(text).replaceAll('\0', '…')
