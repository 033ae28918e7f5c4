import type { Limits } from '@isotherm/contract/device-limits.ts'
import { sql } from 'kysely'
import type { Claim } from '../../core/devices/device-changes.ts'
import { noteDevices, noteTrackers } from '../../core/devices/settings-changes.ts'
import { toCenti } from '../../domain/measures.ts'
import type { TenantTx } from '../../platform/context.ts'

/** Until a device has said how often it measures. */
const assumedIntervalS = 600

/** Returns the ids of the new devices in the order of `claims`. */
export async function insertDevices(ctx: TenantTx, claims: Claim[], createdAt: Date, now: Date): Promise<number[]> {
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
        licence_id: licence.id,
        licence_until: licence.expiresAt,
        created_at: createdAt,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute()
  // Identities are given out in the order of the values.
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Returns which devices got their probe. Who else has one is seen by the exclusion constraint alone. */
export async function assign(
  ctx: TenantTx,
  claims: (Pick<Claim, 'input'> & { id: number })[],
  validFrom: Date,
): Promise<Set<number>> {
  const rows = await ctx.tx
    .insertInto('assignments')
    .values(
      claims.map(({ id, input: { imei, probe } }) => ({
        company_id: ctx.companyId,
        device_id: id,
        imei,
        probe,
        valid_from: validFrom,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('device_id')
    .execute()
  await noteTrackers(
    ctx.tx,
    claims.map(({ input }) => input.imei),
  )
  return new Set(rows.map((row) => row.device_id))
}

export interface Labels {
  id: number
  name: string
  tag: string | null
}

export const updateLabels = (ctx: TenantTx, rows: readonly Labels[], now: Date) =>
  sql`
    update devices d set name = n.name, tag = n.tag, updated_at = ${now}
    from unnest(${rows.map(({ id }) => id)}::int4[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ tag }) => tag)}::text[]) as n (id, name, tag)
    where d.company_id = ${ctx.companyId} and d.id = n.id`.execute(ctx.tx)

export const updateVisibility = (ctx: TenantTx, id: number, visibility: string) =>
  ctx.tx
    .updateTable('devices')
    .set({ visibility })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()

export const findVisibilities = (ctx: TenantTx, ids: readonly number[]) =>
  ctx.tx
    .selectFrom('devices')
    .select(['id', 'visibility'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute()

const centi = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : toCenti(value)

const columnsOf = (limits: Limits) => ({
  temperature_min_centi: centi(limits.temperatureMinC),
  temperature_max_centi: centi(limits.temperatureMaxC),
  humidity_min_centi: centi(limits.humidityMinPct),
  humidity_max_centi: centi(limits.humidityMaxPct),
})

/** Appends limits that judge what is measured from `validFrom` on, to devices each named once; earlier readings keep theirs. */
export async function addLimits(
  { tx, companyId }: TenantTx,
  rows: readonly { id: number; limits: Limits }[],
  validFrom: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('device_limits')
    .values(
      rows.map(({ id, limits }) => ({
        company_id: companyId,
        device_id: id,
        valid_from: validFrom,
        ...columnsOf(limits),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'device_id', 'valid_from']).doUpdateSet((eb) => ({
        temperature_min_centi: eb.ref('excluded.temperature_min_centi'),
        temperature_max_centi: eb.ref('excluded.temperature_max_centi'),
        humidity_min_centi: eb.ref('excluded.humidity_min_centi'),
        humidity_max_centi: eb.ref('excluded.humidity_max_centi'),
      })),
    )
    .execute()
  await noteDevices(
    tx,
    rows.map(({ id }) => ({ companyId, deviceId: id })),
  )
}

/** The licence that the company has under a key it took. */
export const licenceOfKey = (ctx: TenantTx, keyHash: Buffer) =>
  ctx.tx
    .selectFrom('licences')
    .select(['id', 'expires_at'])
    .where('company_id', '=', ctx.companyId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()
