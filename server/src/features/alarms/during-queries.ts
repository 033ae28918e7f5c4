import type { OutsideStretch } from '../../core/devices/device-reader.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { seesAlarms } from './policy.ts'
import { triggersSql, visibleTriggerSql } from './visible-sql.ts'

/** The triggers of alarms that fired while a measure of a device was outside; none for who may not see alarms. */
export const triggersDuring = async (ctx: Context, stretches: readonly OutsideStretch[]) =>
  seesAlarms(ctx) && stretches.length > 0
    ? allRows<{ stretch: string; id: string; alarmId: string; name: string }>(ctx.tx)`
      select x.id::text as stretch, t.id::text, t.alarm_id::text as "alarmId", t.names ->> 'alarm' as name
      from unnest(${stretches.map(({ id }) => id)}::int8[], ${stretches.map(({ deviceId }) => deviceId)}::int4[],
        ${stretches.map(conditionOf)}::text[], ${stretches.map(({ from }) => from)}::timestamptz[],
        ${stretches.map(({ to }) => to)}::timestamptz[]) as x (id, device_id, condition, from_at, to_at)
      join (${triggersSql}) on t.device_id = x.device_id and t.condition = x.condition and t.breach_at <= x.to_at
        and (t.normal_at is null or t.normal_at > x.from_at)
      where ${visibleTriggerSql(ctx)} and t.opened_at is not null and t.withdrawn_at is null
      order by t.opened_at, t.id`
    : []

const conditionOf = ({ measure, side }: OutsideStretch) => `${measure}${side === 'above' ? 'Max' : 'Min'}`
