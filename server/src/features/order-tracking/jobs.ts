import { z } from 'zod'
import { bringEtasUpToDate } from '../../core/orders/eta.ts'
import type { Job } from '../../platform/services.ts'

/** Every minute: when orders under way arrive, and who has to hear that they are late. */
export const estimateArrivals: Job<Record<string, never>> = {
  name: 'estimate-arrivals',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  run: bringEtasUpToDate,
}
