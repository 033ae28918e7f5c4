import { recordLimits } from '@isotherm/contract/records.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context, PermittedViewer } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { type Addition, countAdditions } from './note-queries.ts'
import { codeOfOrder, findOverlap, numberOfShipment, type Overlapping, signaturesOf } from './queries.ts'
import { type FoundRecord, findVisible, isGroupMember, type MemberRow } from './visibility-queries.ts'

const locked = { lock: true } as const

/** A record the person may see; throws NOT_FOUND for any other. */
export const findRecord = async (ctx: PermittedViewer, id: string, options?: { lock: true }): Promise<FoundRecord> =>
  orNotFound(await findVisible(ctx, id, options))

/** The same, locked until the transaction ends; throws NOT_FOUND. */
export const lockRecord = (ctx: PermittedViewer, id: string): Promise<FoundRecord> => findRecord(ctx, id, locked)

/**
 * A record of devices, locked: a group's begins, ends and goes by the group's own calls, which ask for other permissions, while there is
 * the group, and that of an order or a shipment with it. Throws NOT_FOUND,
 * RECORD_OF_ORDER or RECORD_OF_SHIPMENT.
 */
export async function lockDeviceRecord(ctx: PermittedViewer, id: string): Promise<FoundRecord> {
  const record = await lockRecord(ctx, id)
  if (record.group_id !== null && !record.group_gone) throw new AppError('NOT_FOUND')
  const code = await codeOfOrder(ctx, record.id)
  if (code !== undefined) throw new AppError('RECORD_OF_ORDER', { code: showTrackingCode(code) })
  const number = await numberOfShipment(ctx, record.id)
  if (number !== undefined) throw new AppError('RECORD_OF_SHIPMENT', { number: showShipmentNumber(number) })
  return record
}

/** A record of this group; throws NOT_FOUND, also where it is another group's, or the group is gone. */
export async function findGroupRecord(
  ctx: PermittedViewer,
  groupId: string,
  recordId: string,
  options?: { lock: true },
): Promise<FoundRecord> {
  const record = await findRecord(ctx, recordId, options)
  if (record.group_id !== groupId || record.group_gone) throw new AppError('NOT_FOUND')
  return record
}

/** The same, locked until the transaction ends; throws NOT_FOUND. */
export const lockGroupRecord = (ctx: PermittedViewer, groupId: string, recordId: string): Promise<FoundRecord> =>
  findGroupRecord(ctx, groupId, recordId, locked)

/** Those of a record's devices that the person sees in it: a group's as the group's own calls show them. */
export async function seenMembers(
  ctx: PermittedViewer,
  record: RecordRow,
  members: readonly MemberRow[],
): Promise<MemberRow[]> {
  if (record.group_id !== null && !ctx.can('devices.view') && !(await isGroupMember(ctx, record.group_id))) return []
  return members.filter((member) => maySee(ctx.person, member))
}

const maxAdditions = { record_notes: recordLimits.notes, record_attachments: recordLimits.attachments }

/** Refuses more notes, or files, than a record may have. Throws RECORD_FULL. */
export async function refuseFull(ctx: Context, table: Addition, recordId: string): Promise<void> {
  const limit = maxAdditions[table]
  if ((await countAdditions(ctx, table, recordId)) >= limit) throw new AppError('RECORD_FULL', { limit })
}

/**
 * Refuses what would void a signature that the person has not seen: there are more by now than they have seen, where that was said. The record is
 * locked. Throws RECORD_SIGNED_MEANWHILE.
 */
export async function refuseUnseen(ctx: Context, recordId: string, seen: number | undefined): Promise<void> {
  if (seen !== undefined && (await signaturesOf(ctx, [recordId])).length > seen)
    throw new AppError('RECORD_SIGNED_MEANWHILE')
}

/**
 * A device may be in several records at once, for different purposes; not in two of the same name or lot at the same time:
 * that is one trip entered twice. Throws RECORD_OVERLAPS, which names it, where the person sees both the device and the record,
 * else RECORD_OVERLAPS_UNSEEN.
 */
export async function refuseOverlap(ctx: Context, record: Overlapping, deviceIds: readonly number[]): Promise<void> {
  const found = await findOverlap(ctx, record, deviceIds)
  if (found?.isSeen) throw new AppError('RECORD_OVERLAPS', { record: found.name, device: found.device })
  if (found) throw new AppError('RECORD_OVERLAPS_UNSEEN')
}
