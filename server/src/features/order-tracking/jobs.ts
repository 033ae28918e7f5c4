import { z } from 'zod'
import { bringEtasUpToDate } from '../../core/orders/eta.ts'
import { watchGoods } from '../../core/orders/watch-goods.ts'
import type { Job } from '../../platform/services.ts'

/** Every minute: when orders under way arrive, and who has to hear that they are late. */
export const estimateArrivals: Job<Record<string, never>> = {
  name: 'estimate-arrivals',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  run: bringEtasUpToDate,
}

/** Every minute: whose goods went out of range, or came back. */
export const watchOrderGoods: Job<Record<string, never>> = {
  name: 'watch-order-goods',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  run: watchGoods,
}
