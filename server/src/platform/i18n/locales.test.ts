import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localeNames } from '@isotherm/contract/common.ts'
import { errorStatus } from '@isotherm/contract/errors.ts'
import { describe, expect, test } from 'vitest'
import { localeFrom, translate } from './i18n.ts'

const root = join(import.meta.dirname, '../../../../contract/locales')
const sources = join(import.meta.dirname, '../..')
const namespaces = readdirSync(join(root, 'en'))
const others = localeNames.filter((name) => name !== 'en')

// How many plural forms a language has is its own business.
const plural = /_(zero|one|two|few|many|other)$/

/** Dotted keys with their texts. */
function texts(locale: string, file: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') found.set(path, value)
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, path ? `${path}.${key}` : key)
  }
  walk(JSON.parse(readFileSync(join(root, locale, file), 'utf8')), '')
  return found
}
const keys = (found: Map<string, string>) =>
  [...new Set([...found.keys()].map((key) => key.replace(plural, '')))].sort()
const values = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort()

describe.each(namespaces)('%s', (file) => {
  const english = texts('en', file)
  test.each(others)('has every text in %s', (locale) => {
    expect(keys(texts(locale, file))).toEqual(keys(english))
  })

  test.each(others)('names in %s no value that English does not', (locale) => {
    for (const [key, text] of texts(locale, file)) {
      const model = english.get(key) ?? english.get(key.replace(plural, '_other')) ?? ''
      const known = new Set(values(model))
      expect(
        values(text).filter((value) => !known.has(value)),
        key,
      ).toEqual([])
    }
  })
})

test('every error code has its sentence', () => {
  const { codes } = JSON.parse(readFileSync(join(root, 'en/errors.json'), 'utf8'))
  expect(Object.keys(codes).sort()).toEqual(Object.keys(errorStatus).sort())
})

test('every rule and format that a row names has its sentence in every language', () => {
  const contract = join(root, '../src')
  const files = readdirSync(contract).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const source = files.map((name) => readFileSync(join(contract, name), 'utf8')).join('\n')
  const named = (pattern: RegExp) => [...new Set([...source.matchAll(pattern)].map((match) => match[1] ?? ''))]
  const formats = named(/\.regex\([^\n]+?, (?:\{ error: )?'(\w+)'/g)
  const rules = named(/(?:refine\([^\n]+?, '|message: ')(\w+)'/g)
  expect(formats).toEqual(expect.arrayContaining(['phone', 'country', 'imei', 'printable']))
  expect(rules).toEqual(expect.arrayContaining(['timeZone', 'startAfterEnd']))
  for (const locale of localeNames) {
    const { fields } = JSON.parse(readFileSync(join(root, locale, 'errors.json'), 'utf8'))
    expect(formats.filter((name) => !fields.format[name])).toEqual([])
    expect(rules.filter((name) => !fields.rule[name])).toEqual([])
  }
})

test('everything that goes into the audit trail has a text', () => {
  const known = texts('en', 'audit.json')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const actions = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/(?:action: |ctx, )'(\w+\.\w+)'/g)].map((match) => match[1] ?? ''))
  expect(actions).toEqual(expect.arrayContaining(['users.invited', 'company.ppecbChanged']))
  expect([...new Set(actions)].filter((action) => !known.has(action))).toEqual([])
})

test('a browser’s wish for a language is met as well as can be', () => {
  expect(localeFrom('sw-KE,sw;q=0.9,en;q=0.5')).toBe('sw')
  expect(localeFrom('de-DE,de;q=0.9,fr;q=0.4,en;q=0.3')).toBe('fr')
  expect(localeFrom('en;q=0.1, es')).toBe('es')
  for (const odd of [undefined, '', '*', ';;;', 'q=q;q=q']) expect(localeFrom(odd)).toBe('en')
})

test('values are filled in', () => {
  expect(translate('fr', 'errors:codes.TOO_MANY_REQUESTS', { seconds: 5 })).toContain('5')
})

test('a key without a text and a value that is not given fail the test that shows them', () => {
  expect(() => translate('sw', 'errors:no.such.key')).toThrow('no text: errors:no.such.key')
  expect(() => translate('en', 'errors:fields.rule.periodTooLong')).toThrow('no text: limit of')
})
