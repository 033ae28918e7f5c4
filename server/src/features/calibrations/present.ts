import { type Calibration, CalibrationPoint } from '@isotherm/contract/calibrations.ts'
import type { CalibrationRow } from './queries.ts'

export const presentCalibration = (row: CalibrationRow): Calibration => ({
  id: row.id,
  device: { id: String(row.device_id), name: row.device_name },
  channel: row.channel,
  certificateNo: row.certificate_no,
  laboratory: row.laboratory,
  calibratedOn: row.calibrated_on,
  dueOn: row.due_on,
  due: row.due,
  offsetC: row.offset_c === null ? null : row.offset_c / 100,
  points: CalibrationPoint.array().parse(row.points),
  note: row.note,
  file:
    row.file_size === null || row.file_sha256 === null
      ? null
      : { sizeBytes: row.file_size, sha256: row.file_sha256.toString('hex') },
  createdAt: row.created_at.toISOString(),
  createdByName: row.created_by_name,
})

/** How the audit trail names a certificate. */
export const target = ({ id, certificate_no: name }: CalibrationRow) => ({ kind: 'calibration', id, name })

/** The facts of a certificate in the audit trail. */
export const auditSnapshot = (row: CalibrationRow) => {
  const { device, channel, certificateNo, laboratory, calibratedOn, dueOn, offsetC, note, file } =
    presentCalibration(row)
  return {
    ...{ device: device.name, channel, certificateNo, laboratory, calibratedOn, dueOn, offsetC, note },
    sha256: file?.sha256 ?? null,
  }
}
