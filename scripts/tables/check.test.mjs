import { expect, test } from 'vitest'
import { checkTables, withoutOwner } from './check.mjs'

const owners = { devices: 'core/devices' }
const writes = new Map([['core/devices/queries.ts', "ctx.tx.insertInto('devices')"]])

test('the owner of a table may write it', () => {
  expect(checkTables(writes, owners)).toEqual([])
})

test.each([
  "tx.updateTable('devices')",
  'sql`delete from devices where true`',
  'const text = `insert into devices (id)`',
])('another room may not: %s', (text) => {
  const faults = checkTables(new Map([...writes, ['features/groups/queries.ts', text]]), owners)
  expect(faults).toEqual([expect.stringMatching(/^features\/groups\/queries\.ts writes devices/)])
})

test('what only reads, and a comment, writes nothing', () => {
  const text =
    "// insert into devices\ntx.selectFrom('devices'); const lock = `select from devices for update of devices`"
  expect(checkTables(new Map([...writes, ['features/groups/queries.ts', text]]), owners)).toEqual([])
})

test.each(["tx.selectFrom('devices as d')", "query.innerJoin('devices', 'a', 'b')", 'sql`select from devices`'])(
  'platform reads no table of another room: %s',
  (text) => {
    const faults = checkTables(new Map([...writes, ['platform/http/serve.ts', text]]), owners)
    expect(faults).toEqual([expect.stringMatching(/^platform\/http\/serve\.ts reads devices/)])
  },
)

test('an owner that does not write its table is named', () => {
  expect(checkTables(new Map(), owners)).toEqual([expect.stringContaining('core/devices does not write devices')])
})

test('a table without an owner is named', () => {
  expect(withoutOwner('export interface DB {\n  devices: Devices;\n  new_things: NewThings;\n}', owners)).toEqual([
    'new_things',
  ])
})
