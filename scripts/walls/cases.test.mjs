import { expect, test } from 'vitest'
import { calls, checkCases } from './cases.mjs'

const read = (path) => ({ 'a.test.ts': "test('is refused', () => {})" })[path] ?? null
const good = '`a.test.ts`: is refused'

/** A page whose rows are in order, but for those that are given. */
const page = (rows) => {
  const all = { ...Object.fromEntries(calls.map((call) => [call, `a case | an answer | ${good}`])), ...rows }
  const lines = Object.entries(all).flatMap(([call, rest]) => (rest === null ? [] : [`| ${call} | ${rest} |`]))
  return ['# Cases', '', '| call | case | answer | tests |', '|---|---|---|---|', ...lines, ''].join('\n')
}

test('cases whose tests are there are in order', () => {
  expect(checkCases(page({}), read)).toEqual([])
})

test.each([
  ['a call without a case', { 'GET wallet': null }, 'GET wallet has no case'],
  ['a call that there is not', { 'GET gold': `a case | an answer | ${good}` }, 'GET gold is no call of the list'],
  ['a case without an answer', { 'GET wallet': `a case |  | ${good}` }, 'GET wallet, a case: no answer'],
  ['a case without a test', { 'GET wallet': 'a case | an answer | ' }, 'GET wallet, a case: no test'],
  [
    'a test that is gone',
    { 'GET wallet': 'a case | an answer | `a.test.ts`: is taken' },
    'GET wallet, a case: a.test.ts has no test "is taken"',
  ],
])('%s is a fault', (_what, rows, fault) => {
  expect(checkCases(page(rows), read)).toEqual([fault])
})
