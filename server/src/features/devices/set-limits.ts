import { type Limits, type LimitsChange, limitPresets } from '@isotherm/contract/devices.ts'
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

/** Appends limits that judge what is measured from `validFrom` on; earlier readings keep theirs. */
export async function setLimits(
  tx: Tx,
  device: { companyId: number; id: number },
  limits: Limits,
  validFrom: Date,
): Promise<void> {
  const values = {
    temperature_min_centi: centi(limits.temperatureMinC),
    temperature_max_centi: centi(limits.temperatureMaxC),
    humidity_min_centi: centi(limits.humidityMinPct),
    humidity_max_centi: centi(limits.humidityMaxPct),
  }
  await tx
    .insertInto('device_limits')
    .values({ company_id: device.companyId, device_id: device.id, valid_from: validFrom, ...values })
    .onConflict((conflict) => conflict.columns(['company_id', 'device_id', 'valid_from']).doUpdateSet(values))
    .execute()
}
