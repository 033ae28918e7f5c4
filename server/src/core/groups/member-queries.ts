import { sql } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { noteCompany } from '../devices/settings-changes.ts'

export async function insertDevices(ctx: Context, groupId: string, ids: readonly number[]): Promise<void> {
  await sql`insert into group_devices (company_id, group_id, device_id, added_at)
    select ${ctx.companyId}, ${groupId}::int8, id, ${ctx.clock.now()} from unnest(${ids}::int4[]) as id
    on conflict do nothing`.execute(ctx.tx)
  await noteCompany(ctx)
}

export interface NamedDevice {
  id: string
  name: string
}

/** Takes devices out; returns those that were in it. */
export async function deleteDevices(ctx: TenantTx, groupId: string, ids: readonly number[]): Promise<NamedDevice[]> {
  const { rows } = await sql<NamedDevice>`
    with gone as (delete from group_devices where company_id = ${ctx.companyId} and group_id = ${groupId}::int8
      and device_id = any(${ids}::int4[]) returning device_id)
    select d.id::text, d.name from gone join devices d on d.company_id = ${ctx.companyId} and d.id = gone.device_id
    order by d.name`.execute(ctx.tx)
  await noteCompany(ctx)
  return rows
}
