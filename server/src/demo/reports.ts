import { NewReport } from '@isotherm/contract/reports.ts'
import { reportRun } from '../app.ts'
import { runNow } from '../features/reports/run-now.ts'
import { addReport } from '../features/reports/save-report.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** Gives a company without scheduled reports those of the demo: one that comes every Monday, and one that is paused. */
export const ensureReports = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const known = await ctx.tx.selectFrom('reports').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    const groups = await ctx.tx
      .selectFrom('groups')
      .select(['id', 'name'])
      .where('company_id', '=', companyId)
      .where('archived_at', 'is', null)
      .execute()
    const people = await ctx.tx.selectFrom('users').select(['id', 'role']).where('company_id', '=', companyId).execute()
    const { timezone } = await ctx.tx
      .selectFrom('companies')
      .select('timezone')
      .where('company_id', '=', companyId)
      .executeTakeFirstOrThrow()
    const add = (report: object) => addReport(ctx, NewReport.parse({ timezone, ...report }))
    for (const { id, name } of groups) {
      if (name === 'Vaccine stores')
        await add({
          name: 'Vaccine stores, every week',
          cadence: 'weekly',
          groupIds: [id],
          formats: ['pdf', 'xlsx'],
          recipients: people.filter(({ role }) => role !== 'staff').map((person) => ({ userId: person.id })),
        })
      if (name === 'On the road')
        await add({ name: 'On the road, every morning', cadence: 'daily', time: '06:30', groupIds: [id], paused: true })
    }
  })

/** Runs the weekly ones once, so that there is a past run to look at; worth it once the devices have a past. */
export const runReports = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const weekly = await ctx.tx
      .selectFrom('reports')
      .select('id')
      .where('company_id', '=', companyId)
      .where('cadence', '=', 'weekly')
      .where('archived_at', 'is', null)
      .execute()
    for (const { id } of weekly) await runNow(ctx, reportRun, id)
  })
