import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

/** A certificate that was in force at an instant. */
export interface CalibrationInForce {
  deviceId: number
  /** The probe; null: the whole device. */
  channel: string | null
  certificateNo: string
  laboratory: string
  /** Days. */
  calibratedOn: string
  dueOn: string
  /** Hundredths of a degree: reading less truth at 0 °C. What is corrected is the reading less this. */
  offsetC: number | null
  /** It was not due yet. */
  isValid: boolean
}

/**
 * The certificates in force at an instant: the newest of each device and probe that was made until then, also one that was due. It is the
 * caller's to ask only for devices that the reader may see.
 */
export const calibrationOf = (
  { tx, companyId }: TenantTx,
  deviceIds: readonly number[],
  at: Date,
): Promise<CalibrationInForce[]> =>
  allRows<CalibrationInForce>(tx)`
    select distinct on (device_id, channel) device_id as "deviceId", channel, certificate_no as "certificateNo", laboratory,
      calibrated_on::text as "calibratedOn", due_on::text as "dueOn", offset_c as "offsetC",
      due_on > (${at}::timestamptz at time zone 'UTC')::date as "isValid"
    from calibrations
    where company_id = ${companyId} and device_id = any(${deviceIds}::int4[]) and removed_at is null
      and calibrated_on <= (${at}::timestamptz at time zone 'UTC')::date
    order by device_id, channel, calibrated_on desc, id desc`
