import { NewReport } from '@isotherm/contract/reports.ts'
import { addReport } from '../features/reports/save-report.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** Gives a company without scheduled reports one of the demo: its groups, Mondays at 7:00, to its Admin. */
export const ensureReports = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const { tx } = ctx
    const known = await tx.selectFrom('reports').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    const groups = await tx
      .selectFrom('groups')
      .select('id')
      .where('company_id', '=', companyId)
      .where('name', '=', 'Vaccine stores')
      .execute()
    if (groups.length === 0) return
    const { timezone } = await tx
      .selectFrom('companies')
      .select('timezone')
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow()
    const draft = NewReport.parse({
      name: 'Vaccine stores, every week',
      cadence: 'weekly',
      timezone,
      groupIds: groups.map(({ id }) => String(id)),
      formats: ['pdf', 'xlsx'],
      recipients: [{ userId: ctx.person.id }],
    })
    await addReport(ctx, draft)
  })
