import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, renameDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { readsOf } from '../../../test/reads-of.ts'

const t = describeApp()

const entries = 60

test('a page of the trail looks once through its entries, for the counts of all chips and of the list', async () => {
  const admin = await buildUser(t)
  const { id } = await aDevice(t, { companyId: admin.companyId })
  for (let n = 0; n < entries; n++) await renameDevice(t, admin, id, `Fridge ${n}`)
  await t.pool.query('analyze audit_log')
  const list = async (query: Record<string, string>) =>
    (await t.call('GET', '/audit-log', { token: admin.token, query: { perPage: '5', ...query } })).body.payload
  const queries: Record<string, string>[] = [{}, { search: 'fridge' }, { feature: 'devices' }]
  for (const query of queries) {
    const { meta, filterCounts } = await list(query)
    expect(meta.total, JSON.stringify(query)).toBe(filterCounts.feature[query.feature ?? 'all'])
    expect(meta.total).toBeGreaterThanOrEqual(entries)
    const look = { table: 'audit_log', having: 'count(*)' }
    expect((await readsOf(t.pool, admin, look, () => list(query))).scans, JSON.stringify(query)).toBe(1)
  }
  expect((await list({ feature: 'devices', search: 'nothing is called so' })).meta.total).toBe(0)
})
