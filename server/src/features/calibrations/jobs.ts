import { z } from 'zod'
import type { CalibrationNotice } from '../../core/alerts/notice-texts.ts'
import { announce, type News, writeLines } from '../../core/alerts/notification-lines.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { type DueRow, noteTold, peopleToTell, untoldCalibrations } from './due-queries.ts'

const maxPerRun = 500

/** Every hour: tells of certificates that are due in 30 days, and of those that are due. */
export const tellCalibrations: Job<Record<string, never>> = {
  name: 'tell-calibrations',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '35 * * * *',
  async run(services) {
    const now = services.clock.now()
    const due = await asPipeline(services.pool, ({ tx }) => untoldCalibrations(tx, now, maxPerRun))
    const failed = ({ company_id: companyId, id }: DueRow, err: unknown) =>
      services.log.error({ err, companyId, calibration: id }, 'that a calibration is due could not be told')
    await eachApart(due, { failed }, (row) => tell(services, row, now))
  },
}

async function tell({ pool, bus }: Services, { company_id: companyId, id }: DueRow, now: Date): Promise<void> {
  const news = await inTenant(pool, companyId, async ({ tx, client }): Promise<News[]> => {
    const ctx = { tx, companyId }
    const row = await noteTold(ctx, id, now)
    if (!row) return []
    const params: CalibrationNotice = {
      ...{ calibration: row.certificate_no, device: row.device_name, dueOn: row.due_on, isOver: row.is_over },
    }
    const people = await peopleToTell(ctx, row.is_private)
    return writeLines(
      client,
      people.map(({ id: userId }) => ({
        ...{ company_id: companyId, user_id: userId, kind: 'calibrationDue', severity: 'warning' as const },
        ...{ device_id: row.device_id, alarm_id: null, trigger_id: null, params, at: now },
      })),
    )
  })
  announce(bus, news)
}
