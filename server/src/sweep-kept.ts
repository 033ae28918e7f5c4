import { z } from 'zod'
import { forgetReportFiles } from './features/device-reports/keep.ts'
import { forgetRejected } from './features/devices/keep-rejected.ts'
import { forgetRunFiles } from './features/reports/keep.ts'
import { openFiles } from './platform/files/files.ts'
import type { Job } from './platform/jobs/jobs.ts'

const dayMs = 86_400_000

/** Every night: forgets what has been kept for as long as the configuration says. */
export const sweepKept: Job<Record<string, never>> = {
  name: 'sweep-kept',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '40 2 * * *',
  async run(services) {
    const { reportFilesDays, rejectedDays } = services.config.keep
    const before = (days: number) => new Date(services.clock.now().getTime() - days * dayMs)
    const files = await forgetReportFiles(services, before(reportFilesDays))
    const runFiles = await forgetRunFiles(services, before(reportFilesDays))
    const rejected = await forgetRejected(services, before(rejectedDays))
    const unfinished = await openFiles(services.config.dataDir).forgetUnfinished(before(1))
    services.log.info({ files: files + runFiles, rejected, unfinished }, 'what was kept long enough is forgotten')
  },
}
