import { expect, test } from 'vitest'
import { checkWalls, codes } from './check.mjs'

const file = "test('a wall holds (C1)', () => {})\ntest.each([1])(\n  'of %s (C1)',\n  () => {},\n)"
const read = (path) => ({ 'a.test.ts': file, 'b.test.ts': `test.skip('another', () => {})\n${file}` })[path] ?? null
const good = '`a.test.ts`: a wall holds (C1)<br>`a.test.ts`: of %s (C1)'

/** A page whose rows are in order, but for those that are given. */
const page = (rows) => {
  const all = { ...Object.fromEntries(codes.map((code) => [code, `an attack | a wall | ${good}`])), ...rows }
  const lines = Object.entries(all).flatMap(([code, rest]) => (rest === null ? [] : [`| ${code} | ${rest} |`]))
  return ['# Walls', '', '| code | tried | stops | tests |', '|---|---|---|---|', ...lines, ''].join('\n')
}

test('rows whose tests are there are in order, and one that is answered elsewhere', () => {
  expect(checkWalls(page({ M10: 'an attack | answered in [status.md](status.md) | ' }), read)).toEqual([])
})

test.each([
  ['a code without a row', { L29: null }, 'L29 has no row'],
  ['a row of no code', { X1: `an attack | a wall | ${good}` }, 'X1 is no code'],
  ['a row without a test', { H2: 'an attack | a wall | ' }, 'H2 has no test, and no answer in status.md'],
  ['a file that is gone', { H2: 'an attack | a wall | `c.test.ts`: a wall holds (C1)' }, 'H2: there is no c.test.ts'],
  ['a test that is gone', { H2: 'an attack | a wall | `a.test.ts`: a wall' }, 'H2: a.test.ts has no test "a wall"'],
  ['a file that skips', { H2: 'an attack | a wall | `b.test.ts`: a wall holds (C1)' }, 'H2: b.test.ts skips tests'],
  ['anything else', { H2: 'an attack | a wall | tested' }, 'H2: "tested" is not `file`: name of a test'],
])('%s is a fault', (_what, rows, fault) => {
  expect(checkWalls(page(rows), read)).toEqual([fault])
})
