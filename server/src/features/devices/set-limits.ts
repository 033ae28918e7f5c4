import { type Limits, type LimitsChange, limitPresets } from '@isotherm/contract/device-limits.ts'
import { toCenti } from '../../domain/measures.ts'
import type { Tx } from '../../platform/db/transaction.ts'

const centi = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : toCenti(value)

/** The four limits a change means; those left out are none. */
export const limitsOf = ({ preset, ...own }: LimitsChange): Limits =>
  preset
    ? limitPresets[preset]
    : {
        temperatureMinC: own.temperatureMinC ?? null,
        temperatureMaxC: own.temperatureMaxC ?? null,
        humidityMinPct: own.humidityMinPct ?? null,
        humidityMaxPct: own.humidityMaxPct ?? null,
      }

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
