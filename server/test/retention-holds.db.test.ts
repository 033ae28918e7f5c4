import { expect, test } from 'vitest'
import { describeApp } from './describe-app.ts'

const t = describeApp()
test('x', async () => {
  const rows = await t.rows<{ name: string; cols: string }>(`
    select c.relname as name, string_agg(a.attname, ',' order by a.attnum) as cols
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute d where d.attrelid = c.oid and not d.attisdropped and d.attname in ('device_id','device_ids','record_id','order_id','shipment_id','trigger_id','group_id'))
      and exists (select from pg_attribute d join pg_type y on y.oid = d.atttypid where d.attrelid = c.oid and not d.attisdropped and y.typname in ('timestamptz','tstzrange','tstzmultirange'))
    group by 1 order by 1`)
  for (const r of rows) console.log(r.name, '|', r.cols)
  expect(rows.length).toBe(0)
})
