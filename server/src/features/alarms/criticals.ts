import type { Context } from '../../platform/context.ts'
import { seesAlarms } from './policy.ts'
import { listCriticals } from './trigger-queries.ts'

/** One page of the open critical triggers; none for a role that may not see alarms. */
export const criticalsOf = async (ctx: Context, page: Parameters<typeof listCriticals>[1]) =>
  seesAlarms(ctx) ? listCriticals(ctx, page) : { rows: [], total: 0 }
