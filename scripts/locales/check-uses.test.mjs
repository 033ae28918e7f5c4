// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read is written out here
import { expect, test } from 'vitest'
import { checkUses } from './check-uses.mjs'

const texts = new Map([
  ['users:title', 'Users'],
  ['users:of', 'of {{total}}'],
  ['users:role.admin', 'Admin'],
  ['users:role.staff', 'Staff'],
  ['users:found_one', '{{count}} user'],
  ['users:found_other', '{{count}} users'],
  ['common:ok', 'OK'],
  ['errors:codes.GROUP_FULL', 'At most {{limit}}.'],
  ['errors:codes.INTERNAL', 'Wrong (request {{requestId}}).'],
  ['errors:fields.rule.tooLong', 'At most {{limit}} days.'],
  ['errors:fields.rule.order', 'Start before end.'],
])
const nothing = { keys: {}, without: {}, namespaces: {}, shorthands: [] }
const hook = "const { t } = useTranslation('users')\n"
const inScreen = (source, known = nothing) => checkUses([['web/src/a.tsx', hook + source]], texts, known)
const inServer = (source) => checkUses([['server/src/a.ts', source]], texts, nothing)
const inContract = (source) => checkUses([['contract/src/a.ts', source]], texts, nothing)

test.each([
  ['a text', "t('title')"],
  ['a text of the common namespace', "t('ok')"],
  ['a text with its value', "t('of', { total })"],
  ['values that cannot be read', "t('of', values)"],
  ['a choice of texts', "t(isAdmin ? 'role.admin' : 'role.staff')"],
  ['a part that is known at run time', 't(`role.${role}`)'],
  ['a plural with its count', "t('found', { count: users.length })"],
  ['the first of two keys that is there', "t(['titleShort', 'title'])"],
  ['a namespace of its own', "t('common:ok')"],
  ['an example in a comment', "// t('nothing')"],
])('%s is in order', (_what, source) => {
  expect(inScreen(source)).toEqual([])
})

test.each([
  ['a key that is not there', "t('heading')", 'web/src/a.tsx:2: no text users:heading'],
  ['one of two that is not there', "t(isNew ? 'title' : 'old')", 'no text users:old'],
  ['a value that is not given', "t('of')", 'users:of needs total'],
  ['another value', "t('of', { sum: 1 })", 'users:of needs total'],
  ['a plural without count', "t('found')", 'users:found needs count'],
  ['a beginning that no key has', 't(`roles.${role}`)', 'no text users:roles.…'],
  ['a key in a variable', 't(name)', 'nobody can read which text this is: name'],
])('%s is a fault', (_what, source, fault) => {
  expect(inScreen(source)).toEqual([expect.stringContaining(fault)])
})

test('a key in a variable is in order where its keys are listed, and those must be there', () => {
  const listed = (key) => inScreen('t(name)', { ...nothing, keys: { 'web/src/a.tsx': [key] } })
  expect(listed('users:title')).toEqual([])
  expect(listed('users:gone')).toEqual(['dynamic-keys.mjs: web/src/a.tsx: no text users:gone'])
})

test.each([
  ['an error without its value', "throw new AppError('GROUP_FULL')", 'errors:codes.GROUP_FULL needs limit'],
  [
    'a field without its value',
    "throw invalidField('endAt', 'rule.tooLong')",
    'errors:fields.rule.tooLong needs limit',
  ],
  ['a translation without its value', "translate(locale, 'users:of')", 'users:of needs total'],
  [
    'a shorthand’s text',
    'const own = (key: string, values: Values) => translate(locale, `users:role.${key}`, values)\nown("guest")',
    'no text users:role.guest',
  ],
])('on the server %s is a fault', (_what, source, fault) => {
  expect(inServer(source)).toEqual([expect.stringContaining(fault)])
})

test('the request’s number comes with every error', () => {
  expect(inServer("throw new AppError('INTERNAL')")).toEqual([])
})

test('a schema’s rule has a sentence, and gives its values', () => {
  expect(inContract("z.x().refine(ok, { message: 'order', path: ['from'] })")).toEqual([])
  expect(inContract("z.x().refine(ok, { message: 'tooLong', params: { limit: 3 } })")).toEqual([])
  expect(inContract("z.x().refine(ok, { message: 'tooLong', path: ['to'] })")).toEqual([
    expect.stringContaining('errors:fields.rule.tooLong needs limit'),
  ])
  expect(inContract("z.x().refine(ok, { message: 'noteNeeded' })")).toEqual([
    expect.stringContaining('no text errors:fields.rule.noteNeeded'),
  ])
})
