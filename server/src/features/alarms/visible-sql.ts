import { type RawBuilder, sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { ViewerIdentity } from '../../platform/context.ts'

/** The alarms a person may see, as a condition over `alarms a`; also those that were deleted, whose triggers stay. */
export const visibleAlarmSql = (ctx: ViewerIdentity): RawBuilder<boolean> =>
  seesPrivate(ctx.person)
    ? sql<boolean>`a.company_id = ${ctx.companyId}`
    : sql<boolean>`a.company_id = ${ctx.companyId} and a.visibility = 'public'`

/** Triggers with their alarm and device, what the conditions below are over. */
export const triggersSql = sql`alarm_triggers t
  join alarms a on a.company_id = t.company_id and a.id = t.alarm_id
  join devices d on d.company_id = t.company_id and d.id = t.device_id`

/** The triggers a person may see, as a condition over `alarm_triggers t`, its `alarms a` and its `devices d`. */
export const visibleTriggerSql = (ctx: ViewerIdentity): RawBuilder<boolean> =>
  sql<boolean>`t.company_id = ${ctx.companyId} and ${visibleAlarmSql(ctx)} and ${visibleSql(ctx)}`
