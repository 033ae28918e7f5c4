import { sql } from 'kysely'
import type { OutsideStretch } from '../../core/devices/device-reader.ts'
import { inRecordSinceText, inRecordUntilText } from '../../core/devices/record-windows.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { seesDevicesSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { groupIsGoneSql, visibleRecordSql } from './visibility-queries.ts'

/** The records that a device was in while it was outside; `groupId` of those that stand at a group. */
export const recordsDuring = async (ctx: Context, stretches: readonly OutsideStretch[]) =>
  stretches.length > 0
    ? allRows<{ stretch: string; id: string; groupId: string | null; name: string }>(ctx.tx)`
      select x.id::text as stretch, r.id::text, case when not ${groupIsGoneSql} then r.group_id::text end as "groupId", r.name
      from unnest(${stretches.map(({ id }) => id)}::int8[], ${stretches.map(({ deviceId }) => deviceId)}::int4[],
        ${stretches.map(({ from }) => from)}::timestamptz[], ${stretches.map(({ to }) => to)}::timestamptz[])
        as x (id, device_id, from_at, to_at)
      join record_devices m on m.company_id = ${ctx.companyId} and m.device_id = x.device_id
      join devices d on d.company_id = m.company_id and d.id = m.device_id
      join records r on r.company_id = m.company_id and r.id = m.record_id
      where ${visibleRecordSql(ctx)} and ${visibleSql(ctx)} and (r.group_id is null or ${seesDevicesSql(ctx, 'r')})
        and r.state <> 'planned' and ${sql.raw(inRecordSinceText)} <= x.to_at
        and (${sql.raw(inRecordUntilText)} is null or ${sql.raw(inRecordUntilText)} > x.from_at)
      order by r.start_at, r.id`
    : []
