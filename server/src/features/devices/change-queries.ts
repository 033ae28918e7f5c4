import type { Limits } from '@isotherm/contract/device-limits.ts'
import { noteDevices } from '../../core/devices/settings-changes.ts'
import { toCenti } from '../../domain/measures.ts'
import type { TenantTx } from '../../platform/context.ts'

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
    .select(['id', 'starts_at', 'expires_at'])
    .where('company_id', '=', ctx.companyId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()
