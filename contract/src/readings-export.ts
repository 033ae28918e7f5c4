import { z } from 'zod'
import { file, get } from './call.ts'
import { GivenInstant, Id, Instant } from './common.ts'

/** A cursor that nobody used for so long is over: the export begins anew. */
export const cursorsKeptDays = 30
/** As many exports of a company, and of one person or key, run at once. */
export const maxExports = { company: 2, caller: 1 } as const

const ids = z
  .string()
  .max(2_000)
  .transform((list) => [...new Set(list.split(','))])
  .pipe(z.array(Id).min(1).max(100))

/**
 * `cursor`: of the answer before; left out: from the beginning. `deviceIds`: ids with commas between them. `from`: nothing that was measured before it.
 * A cursor goes on with the `deviceIds` and the `from` that it was made with.
 */
export const ReadingsExportQuery = z.strictObject({
  cursor: z
    .string()
    .max(200)
    .regex(/^[\w.-]+$/)
    .optional(),
  deviceIds: ids.optional(),
  from: GivenInstant.optional(),
  /** The answer ends once it has so many readings. */
  limit: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
})
export type ReadingsExportQuery = z.output<typeof ReadingsExportQuery>

/** A line of the export. */
export const ExportedReading = z.object({
  deviceId: Id,
  /** As the device is called now. */
  deviceName: z.string(),
  at: Instant,
  receivedAt: Instant,
  temperatureC: z.number().nullable(),
  humidityPct: z.number().nullable(),
  batteryPct: z.number().nullable(),
  lightLux: z.number().nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
})
export type ExportedReading = z.infer<typeof ExportedReading>

/** A line after some thousand readings, and the last line of each answer: everything above it is covered. */
export const ExportCursor = z.object({
  cursor: z.string(),
  /** There is more to read now. */
  hasMore: z.boolean(),
  /** Readings since the line of this kind before that a lapsed licence hides: the export does not come back to them. */
  hidden: z.number().int(),
})
export type ExportCursor = z.infer<typeof ExportCursor>

/** A line of an answer. */
export const ExportLine = z.union([ExportedReading, ExportCursor])
export type ExportLine = z.infer<typeof ExportLine>

export const readingsExport = {
  read: get('/readings/export', {
    needs: 'devices.view',
    hasRules: true,
    auditOptional: true,
    writes: 'The order of arrival: it is noted once somebody reads it, and numbered by whoever reads',
    summary: 'All readings, then those that arrived since, with cursors',
    query: ReadingsExportQuery,
    returns: file('application/x-ndjson', ExportLine),
  }),
}
