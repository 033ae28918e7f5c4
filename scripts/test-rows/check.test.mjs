import { expect, test } from 'vitest'
import { checkTestRows } from './check.mjs'

const check = (text, exceptions = {}) => checkTestRows(new Map([['server/test/a.db.test.ts', text]]), exceptions)

test.each([
  ["client.query('insert into devices (id) values (1)')", 'devices'],
  ["tx\n  .insertInto('device_limits')", 'device_limits'],
  ['`with a as (insert into alarms (name) values ($1))`', 'alarms'],
  ['`insert into alarm_triggers select 1`', 'alarm_triggers'],
])('refused: %s', (text, table) => {
  expect(check(text)).toEqual([expect.stringContaining(`a.db.test.ts inserts ${table}:`)])
})

test.each([
  "client.query('insert into alarm_events (id) values (1)')",
  "tx.insertInto('devices_of_before')",
  'select from devices',
])('allowed: %s', (text) => {
  expect(check(text)).toEqual([])
})

test('an exception is taken, and one that is not needed is refused', () => {
  const exceptions = { 'server/test/a.db.test.ts': 'why' }
  expect(check('insert into devices', exceptions)).toEqual([])
  expect(check('', exceptions)).toEqual([expect.stringContaining('take it off')])
})
