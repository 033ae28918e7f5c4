import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { manyDevices } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { findWorst } from '../../core/devices/worst-queries.ts'
import type { Context } from '../../platform/context.ts'
import { createPool, urlOf } from '../../platform/db/pool.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { loadDevices } from './device-queries.ts'

const t = describeApp()

const addExcursions = (deviceId: number | undefined, from: number, to: number) =>
  t.rows(
    `insert into excursions (company_id, device_id, measure, side, start_at, end_at, ended_by, readings, peak_centi, peak_at,
       centi_ms, last_at, last_deviation_centi, last_hold_ms, recorded_at)
     select d.company_id, d.id, 'temperature', 'above', now() - n * interval '1 day', now() - n * interval '23 hours', 'inside', 1, 900,
       now(), 1, now(), 0, 0, now()
     from devices d, generate_series($2::int, $3::int) n where d.id = $1`,
    [deviceId, from, to],
  )

test('a table that grew since its statements were planned is gone through once, not for each device', async () => {
  const person = await buildUser(t)
  const other = await buildUser(t)
  const ids = await manyDevices(t, person, 60)
  const [far] = await manyDevices(t, other, 1)
  await addExcursions(far, 1, 5)
  await t.pool.query('analyze excursions, devices')
  const pool = createPool(urlOf(t.pool), 1, () => {})
  const rowsRead = () =>
    inTenant(pool, person.companyId, async ({ tx }) => {
      const ctx = { tx, companyId: person.companyId, clock: t.clock, person: { role: 'admin' } } as unknown as Context
      const devices = await loadDevices(ctx, ids)
      const worst = await findWorst(ctx, sql`true`, null)
      expect([devices.length, worst.total]).toEqual([60, 60])
      const { rows } = await sql<{ n: string }>`
        select seq_tup_read as n from pg_stat_xact_user_tables where relname = 'excursions'`.execute(tx)
      return Number(rows[0]?.n)
    })
  try {
    for (let n = 0; n < 10; n++) await rowsRead()
    await addExcursions(far, 6, 1_000)
    expect(await rowsRead()).toBeLessThanOrEqual(3_000)
  } finally {
    await pool.end()
  }
})
