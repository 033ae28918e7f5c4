import type { NewGroupRecord, NewRecord } from '@isotherm/contract/records.ts'
import { recordLimits } from '@isotherm/contract/records.ts'
import { lockDevices } from '../../core/devices/lock-device.ts'
import { noteRecord } from '../../core/devices/settings-changes.ts'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { insertDevices, insertRecord, type RecordRow } from '../../core/records/record-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { insertNote } from './note-queries.ts'
import { refuseOverlap } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import { findFence, lockGroupDevices } from './queries.ts'
import { type RecordWindow, windowFor } from './record-window.ts'

const maxAuditNames = 50

/** A group as records need it; the app says who may see which. */
export interface RecordGroup {
  id: string
  name: string
}

/** Makes a record of devices the person may see. Throws DEVICE_DECOMMISSIONED, RECORD_OVERLAPS, RECORD_OVERLAPS_UNSEEN, QUOTA_EXCEEDED or VALIDATION. */
export async function addRecord(ctx: Context, input: NewRecord): Promise<RecordRow> {
  const ids = [...new Set(input.deviceIds.map(deviceIdOf))]
  const window = windowFor(ctx, input)
  const seen = await lockDevices(ctx, ids)
  if (seen.length !== ids.length) throw invalidField('deviceIds', 'rule.unknownItem')
  const samples = seen.filter(({ sample_until }) => sample_until !== null).length
  if (samples > 0 && samples < seen.length) throw invalidField('deviceIds', 'rule.sampleAlone')
  const isGone = ({ decommissioned_at: at }: (typeof seen)[number]) =>
    at !== null && (window.state !== 'ended' || at <= window.startAt)
  if (seen.some(isGone)) throw new AppError('DEVICE_DECOMMISSIONED')
  return keepRecord(ctx, input, window, null, seen)
}

/**
 * The same for a group; its devices are fixed when it begins: now, or by the sweep at its time. Throws RECORD_OVERLAPS,
 * RECORD_OVERLAPS_UNSEEN, QUOTA_EXCEEDED or VALIDATION.
 */
export async function addGroupRecord(ctx: Context, group: RecordGroup, input: NewGroupRecord): Promise<RecordRow> {
  const window = windowFor(ctx, input)
  const devices = await lockGroupDevices(ctx, group.id)
  if (devices.length > recordLimits.groupDevices)
    throw invalidField('name', 'rule.recordTooLarge', { limit: recordLimits.groupDevices })
  if (devices.length === 0 && window.state !== 'planned') throw invalidField('name', 'rule.groupEmpty')
  return keepRecord(ctx, input, window, group, devices)
}

/** The destination as a record keeps it; throws VALIDATION. */
async function destinationOf(ctx: Context, id: string | undefined, state: RecordWindow['state']) {
  if (id === undefined) return null
  // One that is over has arrived, or never will.
  if (state === 'ended') throw invalidField('destinationId', 'rule.recordOver')
  const fence = await findFence(ctx, id)
  if (!fence) throw invalidField('destinationId', 'rule.unknownItem')
  return JSON.stringify({ geofenceId: fence.id, name: fence.name, area: fence.area })
}

async function keepRecord(
  ctx: Context,
  input: NewGroupRecord,
  { startAt, endAt, state }: RecordWindow,
  group: RecordGroup | null,
  devices: readonly { id: number; name: string }[],
): Promise<RecordRow> {
  const deviceIds = devices.map(({ id }) => id)
  const { name, lot = null, budget, note } = input
  await refuseOverlap(ctx, { name, lot, startAt, endAt }, deviceIds)
  const destination = await destinationOf(ctx, input.destinationId, state)
  await refuseOverQuota(ctx, 'records')
  const now = ctx.clock.now()
  const made = {
    company_id: ctx.companyId,
    created_at: now,
    created_by: ctx.person.id,
    created_by_name: ctx.person.fullname,
  }
  const row = await insertRecord(ctx, {
    ...made,
    group_id: group?.id ?? null,
    name,
    lot,
    state,
    start_at: startAt,
    end_at: endAt,
    ended_by: state === 'ended' ? 'hand' : null,
    destination,
    budget: budget ? JSON.stringify(budget) : null,
    updated_at: now,
  })
  if (group === null || state !== 'planned') await insertDevices(ctx, row.id, deviceIds)
  await noteRecord(ctx.tx, ctx.companyId, row.id)
  if (note) await insertNote(ctx, { ...made, record_id: row.id, text: note })
  ctx.audit({
    action: 'records.made',
    target: target(row),
    after: {
      ...auditSnapshot(row),
      deviceCount: devices.length,
      devices: devices.slice(0, maxAuditNames).map(({ id, name: called }) => ({ id: String(id), name: called })),
    },
  })
  return row
}
