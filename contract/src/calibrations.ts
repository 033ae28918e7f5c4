import { z } from 'zod'
import { del, file, get, post } from './call.ts'
import { Done, Id, Instant, jsonField, namedFile, text } from './common.ts'
import { countedPageOf, Paging } from './paging.ts'
import { Text40 } from './texts.ts'

/** The largest certificate, bytes. */
export const calibrationBytes = 5 * 1024 * 1024
/** So many days before a calibration is due it is due soon. */
export const dueSoonDays = 30

// A year of four digits; a day that is none is refused.
const Day = z.iso.date().refine((day) => day >= '1000-01-01', 'instantRange')
const Celsius = z.number().min(-100).max(200).multipleOf(0.01)

/** A point of a certificate, degrees Celsius. */
export const CalibrationPoint = z.strictObject({
  referenceC: Celsius,
  readingC: Celsius,
  uncertaintyC: z.number().min(0).max(20).multipleOf(0.01).nullable(),
})
export type CalibrationPoint = z.infer<typeof CalibrationPoint>

/** The facts of a certificate. */
export const CalibrationFacts = z
  .strictObject({
    deviceId: Id,
    /** The probe, where a device has several. */
    channel: Text40,
    certificateNo: text(80),
    laboratory: text(160),
    calibratedOn: Day,
    dueOn: Day,
    /** Reading less truth at 0 °C; left out: that of the point at 0. */
    offsetC: z.number().min(-5).max(5).multipleOf(0.01).nullable(),
    points: z.array(CalibrationPoint).max(20),
    note: text(500).nullable(),
  })
  .partial({ channel: true, offsetC: true, points: true, note: true })
  .refine(({ calibratedOn, dueOn }) => !(dueOn <= calibratedOn), { message: 'dueBeforeCalibrated', path: ['dueOn'] })
export type CalibrationFacts = z.infer<typeof CalibrationFacts>

/** A form; `certificate` is JSON. */
export const NewCalibration = z.strictObject({
  certificate: jsonField(CalibrationFacts),
  /** PDF. */
  file: namedFile(calibrationBytes).optional(),
})
export type NewCalibration = z.infer<typeof NewCalibration>

export const dueStates = ['valid', 'soon', 'over', 'replaced'] as const
/** Whether a device's newest certificate still holds; `replaced`: there is a newer one. */
export const DueState = z.enum(dueStates)
export type DueState = z.infer<typeof DueState>

/** A certificate of a device or one of its probes. */
export const Calibration = z.object({
  id: Id,
  device: z.object({ id: Id, name: z.string() }),
  channel: z.string().nullable(),
  certificateNo: z.string(),
  laboratory: z.string(),
  calibratedOn: z.string(),
  dueOn: z.string(),
  due: DueState,
  offsetC: z.number().nullable(),
  points: z.array(CalibrationPoint),
  note: z.string().nullable(),
  /** Null: nobody has brought the file. `sha256` is hexadecimal. */
  file: z.object({ sizeBytes: z.number().int(), sha256: z.string() }).nullable(),
  createdAt: Instant,
  createdByName: z.string(),
})
export type Calibration = z.infer<typeof Calibration>

const CalibrationSort = z.enum([
  ...(['dueOn', '-dueOn', 'calibratedOn', '-calibratedOn'] as const),
  ...(['device', '-device', 'laboratory', '-laboratory'] as const),
])
export const CalibrationQuery = Paging.extend({
  sort: CalibrationSort.default('dueOn'),
  due: DueState.optional(),
  deviceId: Id.optional(),
})
export const CalibrationFilter = CalibrationQuery.omit({ page: true, perPage: true })

export const calibrations = {
  list: get('/export/calibrations', {
    needs: 'dispatch.view',
    summary: 'Certificates of calibration, paged, with search by device, number or laboratory, and those due soon',
    query: CalibrationQuery,
    returns: countedPageOf(Calibration),
  }),
  exportCsv: get('/export/calibrations/export', {
    needs: 'dispatch.export',
    summary: 'calibrations.csv with a line for each certificate that search and filter leave',
    query: CalibrationFilter,
    returns: file('text/csv'),
  }),
  add: post('/export/calibrations', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Adds a certificate of a device: dates, points, offset at 0 °C, and its PDF',
    body: NewCalibration,
    bodyKind: 'form',
    // The file, and what stands around it.
    maxBodyBytes: calibrationBytes + 65_536,
    returns: Calibration,
  }),
  file: get('/export/calibrations/:id/certificate', {
    needs: 'dispatch.view',
    summary: 'The certificate as it came',
    returns: file('application/pdf'),
  }),
  remove: del('/export/calibrations/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Takes a certificate out of the register; the audit trail keeps what it said',
    returns: Done,
  }),
}
