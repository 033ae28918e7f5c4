import { upsertView } from '../src/features/saved-views/queries.ts'
import { buildUser, inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'

/** A view of the list of devices, which its maker shares with the company. */
export async function buildSavedView(test: TestApp, company: { companyId: number }) {
  const maker = await buildUser(test, { company, role: 'staff' })
  const row = {
    ...{ company_id: company.companyId, user_id: maker.id, screen: '/devices/device-overview', name: 'Late vans' },
    ...{ search: '{}', columns: '{}', is_shared: true, created_at: test.clock.now() },
  }
  return { id: await inCompany(test, company.companyId, (ctx) => upsertView(ctx, row)) }
}
