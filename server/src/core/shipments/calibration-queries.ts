import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export interface CalibrationRow {
  device_id: number
  certificate_no: string
  laboratory: string
  /** Days. */
  calibrated_on: string
  due_on: string
  /** The device's reading at 0 °C, hundredths; null: not measured. */
  offset_c: number | null
}

/**
 * The newest calibration of each device up to a day at the origin (`dayAt`); those without one are left out. One with a reading at 0 °C goes before any without: a newer
 * certificate of another channel, of humidity perhaps, says nothing about the temperature.
 */
export const calibrationOf = async (
  { tx, companyId }: TenantTx,
  deviceIds: readonly number[],
  day: string,
): Promise<Map<number, CalibrationRow>> =>
  new Map(
    (
      await allRows<CalibrationRow>(tx)`
        select distinct on (device_id) device_id, certificate_no, laboratory, calibrated_on::text, due_on::text, offset_c
        from calibrations
        where company_id = ${companyId} and device_id = any(${deviceIds}::int4[]) and removed_at is null
          and calibrated_on <= ${day}::date
        order by device_id, offset_c is null, calibrated_on desc, id desc`
    ).map((row) => [row.device_id, row]),
  )
