import { inTenant } from '../src/platform/db/transaction.ts'
import { aDevice } from './device-factory.ts'
import { buildUser } from './factories.ts'
import type { TestApp } from './harness.ts'

/** A daily report of a new device, as an Admin saves it: at 07:00 of Africa/Lagos, for nobody. */
export async function buildScheduledReport(test: TestApp, company: { companyId: number }): Promise<{ id: string }> {
  const owner = await buildUser(test, { company })
  const device = await aDevice(test, company)
  const now = test.clock.now()
  return inTenant(test.pool, company.companyId, async ({ tx }) => {
    const report = await tx
      .insertInto('reports')
      .values({
        company_id: company.companyId,
        name: 'Every morning',
        cadence: 'daily',
        weekday: 1,
        month_day: 1,
        run_time: '07:00',
        timezone: 'Africa/Lagos',
        contents: ['stats'],
        formats: ['csv'],
        locale: 'en',
        next_run_at: null,
        runs_as: owner.id,
        runs_as_name: owner.fullname,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('report_targets')
      .values({ company_id: company.companyId, report_id: report.id, device_id: device.id })
      .execute()
    return report
  })
}
