import { z } from 'zod'

/**
 * Why something a device sent did not become a reading. `MALFORMED`: not JSON or not SenML; `INVALID`: a field of the
 * wrong type or out of range; `EMPTY`: nothing measured; `TOO_MANY`: more readings than one message may have;
 * `TOO_OLD`, `TOO_FAR_AHEAD`: its time is outside the accepted window; `NOT_ASSIGNED`: nobody owned the device then;
 * `CONFLICT`: another reading of that time is kept already; `NOT_STORABLE`: the database refused it.
 */
export const rejectCodes = [
  'MALFORMED',
  'INVALID',
  'EMPTY',
  'TOO_MANY',
  'TOO_OLD',
  'TOO_FAR_AHEAD',
  'NOT_ASSIGNED',
  'CONFLICT',
  'NOT_STORABLE',
] as const
export const RejectCode = z.enum(rejectCodes)
export type RejectCode = z.infer<typeof RejectCode>

/** A wish of a device's owner, repeated until the device answers with its `commandId`. */
export const DeviceCommand = z.object({
  commandId: z.string(),
  kind: z.enum(['interval', 'transmission', 'power', 'flight_mode']),
  value: z.record(z.string(), z.unknown()),
})
export type DeviceCommand = z.infer<typeof DeviceCommand>

/** What a device gets back. `index` is the place in what it sent, from 0. */
export const IngestAnswer = z.object({
  accepted: z.number().int(),
  duplicates: z.number().int(),
  rejected: z.array(z.object({ index: z.number().int(), code: RejectCode })),
  commands: z.array(DeviceCommand),
})
export type IngestAnswer = z.infer<typeof IngestAnswer>
