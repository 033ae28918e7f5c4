import { sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { Devices } from '../../platform/db/schema.ts'
import type { Claim } from './device-changes.ts'

/** Until a device has said how often it measures. */
const assumedIntervalS = 600

/** Returns the ids of the new devices in the order of `claims`. */
export async function insertDevices(
  ctx: TenantTx,
  claims: Claim[],
  createdAt: Date,
  now: Date,
  sampleUntil: Date | null = null,
): Promise<number[]> {
  const rows = await ctx.tx
    .insertInto('devices')
    .values(
      claims.map(({ input, licence, hardware }) => ({
        company_id: ctx.companyId,
        name: input.name,
        tag: input.tag ?? null,
        type: hardware.type,
        visibility: input.visibility,
        interval_s: input.intervalS ?? assumedIntervalS,
        licence_id: licence?.id ?? null,
        licence_until: licence?.expiresAt ?? null,
        sample_until: sampleUntil,
        created_at: createdAt,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute()
  // Identities are given out in the order of the values.
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

export interface Labels {
  id: number
  name: string
  tag: string | null
}

/** Names and tags them, as one change of what people set of each. */
export const updateLabels = (ctx: TenantTx, rows: readonly Labels[], now: Date) =>
  sql`
    update devices d set name = n.name, tag = n.tag, updated_at = ${now}, version = d.version + 1
    from unnest(${rows.map(({ id }) => id)}::int4[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ tag }) => tag)}::text[]) as n (id, name, tag)
    where d.company_id = ${ctx.companyId} and d.id = n.id`.execute(ctx.tx)

/** Counts a change of what people set of these devices, and locks them until the transaction ends: by id, as whoever else locks several. */
export const countChange = (ctx: TenantTx, ids: readonly number[]) =>
  sql`
    with locked as materialized (select id from devices where company_id = ${ctx.companyId} and id = any(${ids}::int4[])
      order by id for no key update)
    update devices d set version = d.version + 1 from locked l
    where d.company_id = ${ctx.companyId} and d.id = l.id`.execute(ctx.tx)

export const updateDevice = (ctx: TenantTx, id: number, change: Updateable<Devices>) =>
  ctx.tx.updateTable('devices').set(change).where('company_id', '=', ctx.companyId).where('id', '=', id).execute()

interface SwitchedOn {
  companyId: number
  deviceId: number
  visibility: string
}

/** Devices that send though they had switched themselves off: somebody switched them on. Returns them. */
export async function switchedOn(client: Client): Promise<SwitchedOn[]> {
  const { rows } = await client.query<SwitchedOn>(
    `update devices d set power = 'on', updated_at = now() from device_latest l
     where d.power = 'off' and l.company_id = d.company_id and l.device_id = d.id
       and l.measured_at > (select max(acked_at) from device_commands c where c.company_id = d.company_id
         and c.device_id = d.id and c.kind = 'power' and c.ok and c.value ->> 'state' = 'off')
     returning d.company_id as "companyId", d.id as "deviceId", d.visibility`,
  )
  return rows
}
