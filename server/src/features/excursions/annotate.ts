import type { Annotate } from '@isotherm/contract/excursions.ts'
import { allows } from '@isotherm/contract/permissions.ts'
import { type LockedDevice, lockDevices, targetOf } from '../../core/devices/lock-device.ts'
import { matrixOf } from '../../core/people/person.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { findOwner, replaceAnnotation } from './annotation-queries.ts'
import { takeCause } from './causes.ts'
import { type AnnotationRow, type ExcursionRow, findExcursions } from './queries.ts'

/**
 * Sets cause, note and owner of excursions; what is left out stays as it is. Returns how many that changed.
 * Throws NOT_FOUND where the person does not see one of them, CHANGED_MEANWHILE and VALIDATION.
 */
export async function annotate(ctx: Context, change: Annotate): Promise<number> {
  const { ids, cause, note, ownerId } = change
  const asked = { ids, page: 1, perPage: ids.length, sort: 'start' } as const
  const span = { from: 0, to: ctx.clock.now().getTime() }
  const found = await findExcursions(ctx, span, asked)
  if (found.length !== new Set(ids).size) throw new AppError('NOT_FOUND')
  const devices = await lockDevices(
    ctx,
    found.map((row) => row.device_id),
  )
  // Read again: until the devices were locked, others may have saved.
  const rows = await findExcursions(ctx, span, asked)
  if (rows.length !== new Set(ids).size) throw new AppError('NOT_FOUND')
  for (const row of rows) refuseUnseen(row, change)
  const chosen = typeof cause === 'string' ? await takeCause(ctx, cause) : null
  if (chosen?.isRetired && rows.some(({ annotations }) => annotations[0]?.cause_key !== cause))
    throw invalidField('cause', 'rule.unknownItem')
  const owner = typeof ownerId === 'string' ? await ownerOf(ctx, ownerId, devices) : null
  let changed = 0
  for (const row of rows) {
    const [own, ...joined] = row.annotations
    const before = { cause: own?.cause_name ?? null, note: own?.note ?? null, assignee: own?.owner_name ?? null }
    const after = {
      cause: cause === undefined ? before.cause : (chosen?.name ?? null),
      note: note === undefined ? before.note : note || null,
      assignee: ownerId === undefined ? before.assignee : (owner?.fullname ?? null),
    }
    const changes = changesOf({ ...before, joined: joined.map(textOf) }, { ...after, joined: [] })
    if (Object.keys(changes.after).length === 0) continue
    await replaceAnnotation(ctx, row.id, {
      cause_id: cause === undefined ? (own?.cause_id ?? null) : (chosen?.id ?? null),
      note: after.note,
      owner_id: ownerId === undefined ? (own?.owner_id ?? null) : (owner?.id ?? null),
    })
    ctx.audit({
      action: 'devices.excursionAnnotated',
      target: targetOf({ id: row.device_id, name: row.device_name }),
      before: changes.before,
      after: { ...changes.after, excursion: row.start_at },
    })
    changed += 1
  }
  return changed
}

/** Throws CHANGED_MEANWHILE where a field that is changed has something else than whoever changes it saw. */
function refuseUnseen({ device_name, annotations: [own] }: ExcursionRow, { seen = {}, ...change }: Annotate) {
  const now = { cause: own?.cause_key ?? null, note: own?.note ?? null, ownerId: own?.owner_id ?? null }
  for (const field of ['cause', 'note', 'ownerId'] as const)
    if (change[field] !== undefined && seen[field] !== undefined && (seen[field] || null) !== now[field])
      throw new AppError('CHANGED_MEANWHILE', { name: device_name })
}

/** An annotation that another one replaces, for the audit trail. */
const textOf = ({ cause_name, note, owner_name }: AnnotationRow) =>
  [cause_name, note, owner_name].filter((part) => part !== null).join(', ')

/** Throws VALIDATION for a person who does not see all of these devices. */
async function ownerOf(ctx: Context, id: string, devices: readonly LockedDevice[]) {
  const owner = await findOwner(ctx, id)
  if (!owner) throw invalidField('ownerId', 'rule.unknownItem')
  const sees = allows(await matrixOf(ctx.tx, ctx.companyId, owner.role), 'devices.view')
  if (!sees || !devices.every((device) => maySee(owner, device))) throw invalidField('ownerId', 'rule.ownerSeesNot')
  return owner
}
