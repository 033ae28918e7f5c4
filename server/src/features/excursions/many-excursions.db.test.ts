import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { readsOf } from '../../../test/reads-of.ts'

const t = describeApp()
describePipeline(t)

const step = 10 * 60_000
const pairs = 200

test('the annotations of a company are read once for all its excursions, and not anew for each', async () => {
  const admin = await buildUser(t)
  const { token } = admin
  const from = t.clock.now().getTime() - 2 * pairs * step
  const readings = Array.from({ length: 2 * pairs }, (_, i) => ({
    at: new Date(from + i * step),
    temperatureC: i % 2 === 1 ? 9 : 5,
  }))
  await aDevice(t, {
    ...{ companyId: admin.companyId, intervalS: 600, validFrom: new Date(from - step) },
    ...{ limits: { temperatureMinC: 2, temperatureMaxC: 8 }, readings },
  })
  const list = async (query: Record<string, string>) =>
    (await t.call('GET', '/excursions', { token, query: { perPage: '5', ...query } })).body.payload
  const { data, meta } = await list({ sort: 'start' })
  expect(meta.total).toBeGreaterThanOrEqual(pairs - 1)
  const ids = data.slice(0, 2).map(({ id }: { id: string }) => id)
  await t.call('PATCH', '/excursions', { token, body: { ids, cause: 'doorOpen' } })
  await t.pool.query('analyze excursions, excursion_annotations, devices')
  const queries: Record<string, string>[] = [{ sort: 'cause' }, { cause: 'none' }]
  for (const query of queries) {
    const { rows } = await readsOf(t.pool, admin, { table: 'excursion_annotations', having: 'own.' }, () => list(query))
    expect(rows, JSON.stringify(query)).toBeLessThan(pairs / 2)
  }
  const all = { table: 'excursions', having: 'from excursions e join devices d' }
  const sorted: Record<string, string>[] = [{ sort: 'farthest' }, { open: 'false', sort: '-farthest' }]
  for (const query of sorted) {
    const { rows } = await readsOf(t.pool, admin, all, () => list(query))
    expect(rows, `${JSON.stringify(query)}: once for its page and once for its counts`).toBeLessThan(2.5 * meta.total)
  }
  expect(
    (await list({ sort: 'cause' })).data
      .slice(0, 2)
      .map(({ id }: { id: string }) => id)
      .sort(),
  ).toEqual(ids.sort())
  expect((await list({ cause: 'none' })).meta.total).toBe(meta.total - 2)
})
