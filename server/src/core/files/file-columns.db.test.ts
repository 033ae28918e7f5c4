import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { fileColumns } from './file-columns.ts'

const t = describeApp()

/** Their names end the same way, and they name no file of the store. */
const others = [
  'bank_receipts.line_key',
  'company_events.event_key',
  'device_reports.report_key',
  'payment_events.event_key',
  'report_files.report_key',
  'report_runs.period_key',
  'vehicles.plate_key',
]

test('every column that names a file is listed for the sweep of orphans', async () => {
  const columns = await t.rows<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname like '%\\_key' and a.atttypid = 'text'::regtype and not a.attisdropped`,
  )
  const listed = Object.entries(fileColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  expect(columns.map(({ name }) => name).sort()).toEqual([...listed, ...others].sort())
})

test('every column that names a file leads an index, which the sweep of orphans asks', async () => {
  const leading = await t.rows<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where i.indpred is null`,
  )
  const names = new Set(leading.map(({ name }) => name))
  const listed = Object.entries(fileColumns).flatMap(([table, columns]) => columns.map((name) => `${table}.${name}`))
  expect(listed.filter((name) => !names.has(name))).toEqual([])
})
