import type { Limits } from '@isotherm/contract/device-limits.ts'
import { toCenti } from '../../domain/measures.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import type { Context } from '../../platform/http/context.ts'

const centi = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : toCenti(value)

const columnsOf = (limits: Limits) => ({
  temperature_min_centi: centi(limits.temperatureMinC),
  temperature_max_centi: centi(limits.temperatureMaxC),
  humidity_min_centi: centi(limits.humidityMinPct),
  humidity_max_centi: centi(limits.humidityMaxPct),
})

/** Appends limits that judge what is measured from `validFrom` on; earlier readings keep theirs. */
export const setLimits = (
  tx: Tx,
  device: { companyId: number; id: number },
  limits: Limits,
  validFrom: Date,
): Promise<void> => addLimits(tx, [{ ...device, limits }], validFrom)

/** The same for several devices, each named once. */
export async function addLimits(
  tx: Tx,
  rows: { companyId: number; id: number; limits: Limits }[],
  validFrom: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('device_limits')
    .values(
      rows.map(({ companyId, id, limits }) => ({
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
}

/** Gives these devices limits for what is measured from now on, and tells whoever looks at them. */
export async function giveLimits(ctx: Context, ids: readonly number[], limits: Limits): Promise<void> {
  if (ids.length === 0) return
  const rows = ids.map((id) => ({ companyId: ctx.companyId, id, limits }))
  await addLimits(ctx.tx, rows, ctx.clock.now())
  const changed = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'visibility'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute()
  for (const { id, visibility } of changed) announceDevice(ctx, id, 'settings', visibility === 'private')
}
