import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'

const pipeline = describeIngest()

const migration = () => readFile(new URL('../../../migrations/0164_answers_of_the_future.sql', import.meta.url), 'utf8')

test('an answer that lies ahead counts from the migration on; one of before stays', async () => {
  const { companyId, id } = await pipeline.device()
  const client = await pipeline.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role pipeline')
    await client.query(
      `insert into device_intervals (company_id, device_id, valid_from, interval_s) values
         ($1, $2, '2046-01-01', 60), ($1, $2, '2046-02-01', 120), ($1, $2, '2020-01-01', 30)`,
      [companyId, id],
    )
    await client.query('reset role')
    await client.query('set local role app')
    await client.query("select set_config('app.company_id', $1, true)", [String(companyId)])
    await client.query(
      `insert into device_commands (company_id, device_id, kind, value, created_at, acked_at, ok) values
         ($1, $2, 'transmission', '{"state":"started"}', '2020-01-01', '2046-01-01', true),
         ($1, $2, 'transmission', '{"state":"started"}', '2020-01-01', '2020-01-02', true)`,
      [companyId, id],
    )
    await client.query('reset role')
    await client.query(await migration())
    await client.query('set local role pipeline')
    const rows = async (sql: string) => (await client.query(sql, [companyId, id])).rows
    const answers = await rows(
      'select acked_at = now() as is_now from device_commands where (company_id, device_id) = ($1, $2) order by acked_at desc',
    )
    expect(answers).toEqual([{ is_now: true }, { is_now: false }])
    const intervals = await rows(
      `select interval_s, valid_from = now() as is_now from device_intervals where (company_id, device_id) = ($1, $2)
       and valid_from > '2019-01-01' order by valid_from desc limit 1`,
    )
    expect(intervals).toEqual([{ interval_s: 120, is_now: true }])
  } finally {
    await client.query('rollback')
    client.release()
  }
})
