import { RecordQuery } from '@isotherm/contract/records.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { inCompany } from '../../../test/factories.ts'
import { joiningScene } from '../../../test/joining-scene.ts'
import { evidenceOf } from '../../core/shipments/card-queries.ts'
import type { Context } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { pageOfRecords } from './queries.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const names = Array.from({ length: 6 }, (_, n) => `Joined ${n}`)
/** So many times out of range a device had before it joined, and as many after. */
const excursions = 40

/** A shipment that six devices joined under way, each with times out of range of before and after. */
async function scene() {
  const s = await joiningScene(t, pipeline)
  const first = await s.device('First')
  const joined = await Promise.all(names.map((name) => s.device(name)))
  const id = await s.started([first])
  await s.measures(first, 0, 60, 5)
  await s.has(id, 65, first, ...joined)
  for (const one of joined) await s.measures(one, 70, 120, 5)
  await s.measures(first, 70, 120, 5)
  await t.rows(
    `insert into excursions (company_id, device_id, measure, side, start_at, end_at, ended_by, readings, peak_centi, peak_at, centi_ms,
       last_at, last_deviation_centi, last_hold_ms, recorded_at)
     select d.company_id, d.id, 'temperature', 'above', w.at, w.at + interval '10 seconds', 'inside', 1, 900, w.at, 1, w.at, 0, 0, w.at
     from devices d, generate_series(-$2::int, $2::int) n,
       lateral (select $3::timestamptz + n * interval '1 minute' as at) w
     where d.id = any($1::int4[]) and n <> 0`,
    [joined.map((one) => one.id), excursions, s.at(70)],
  )
  return { ...s, id }
}

/** How often some work reads the readings of a device: each is a look into an index of a partition. */
const looks = (companyId: number, work: (ctx: Context) => Promise<unknown>) =>
  inCompany(t, companyId, async (ctx) => {
    const all = async () =>
      Number(
        (
          await firstRow<{ n: string }>(ctx.tx)`select coalesce(sum(coalesce(idx_scan, 0) + seq_scan), 0) as n
            from pg_stat_xact_all_tables where relname ~ '^readings_[0-9]'`
        )?.n,
      )
    const before = await all()
    await work({ ...ctx, can: () => true } as Context)
    return (await all()) - before
  })

test('the evidence of a list of shipments finds what counts of a device once, and once more to tell whether the goods were attended', async () => {
  const s = await scene()
  const found = await looks(s.admin.companyId, async (ctx) => {
    expect(await evidenceOf(ctx, [s.id])).toMatchObject([{ has_excursion: true }])
  })
  expect(found).toBeGreaterThanOrEqual(names.length)
  expect(found).toBeLessThanOrEqual(2 * names.length)
})

test('a list of records finds what counts of a device once, however many times out of range it had', async () => {
  const s = await scene()
  const found = await looks(s.admin.companyId, async (ctx) => {
    const { rows } = await pageOfRecords(ctx, RecordQuery.parse({}), null)
    expect(rows).toMatchObject([{ devices: 1 + names.length, excursions: names.length * excursions }])
  })
  expect(found).toBe(names.length)
})
