import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'

/**
 * Omitted fields stay, and so does a target that the person may not see: nobody takes a private device or group off an
 * alarm without knowing. What it has watched already it goes on watching without a break.
 */
export async function replaceTargets(
  ctx: Context,
  id: string,
  { deviceIds, groupIds }: { deviceIds?: readonly string[] | undefined; groupIds?: readonly string[] | undefined },
): Promise<void> {
  const own = sql`company_id = ${ctx.companyId} and alarm_id = ${id}::int8`
  if (deviceIds) {
    await sql`delete from alarm_targets where ${own}
      and device_id <> all(${deviceIds}::int4[])
      and device_id in (select d.id from devices d where ${visibleSql(ctx)})`.execute(ctx.tx)
    await sql`insert into alarm_targets (company_id, alarm_id, device_id, added_at)
      select distinct ${ctx.companyId}::int4, ${id}::int8, device_id, ${ctx.clock.now()}::timestamptz from unnest(${deviceIds}::int4[]) as t (device_id)
      on conflict do nothing`.execute(ctx.tx)
  }
  if (groupIds) {
    await sql`delete from alarm_targets where ${own}
      and group_id <> all(${groupIds}::int8[])
      and group_id in (select g.id from groups g where ${visibleGroupSql(ctx)})`.execute(ctx.tx)
    await sql`insert into alarm_targets (company_id, alarm_id, group_id, added_at)
      select distinct ${ctx.companyId}::int4, ${id}::int8, group_id, ${ctx.clock.now()}::timestamptz from unnest(${groupIds}::int8[]) as t (group_id)
      on conflict do nothing`.execute(ctx.tx)
  }
}
