import { writeAssignee } from '../../core/alarms/assignee-sql.ts'
import { lifeOf, writeHandled } from '../../core/alarms/trigger-sql.ts'
import { markTriggersRead } from '../../core/alerts/notification-lines.ts'
import { apply, stateOf } from '../../domain/trigger-lifecycle.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { announceTrigger } from './announce-trigger.ts'
import { mayHandle } from './policy.ts'
import { findTriggers, loadTrigger, lockTriggers, namesOf, type TriggerRow } from './trigger-queries.ts'

interface HandlingRequest {
  action: 'acknowledge' | 'resolve'
  note?: string | undefined
  /** By the link of a message, without a login. */
  isByLink?: boolean
}

/** Handles one trigger. A second click changes nothing; the first name stays. Throws NOT_FOUND, NOT_TOLD, TRIGGER_PENDING. */
export async function handleTrigger(ctx: Context, id: string, wanted: HandlingRequest): Promise<TriggerRow> {
  await lockTriggers(ctx, [id])
  const row = await loadTrigger(ctx, id)
  if (!mayHandle(ctx, row, wanted.action)) throw new AppError('NOT_TOLD')
  if (row.state === 'pending') throw new AppError('TRIGGER_PENDING')
  const changed = await handle(ctx, [row], wanted)
  return changed.length > 0 ? loadTrigger(ctx, id) : row
}

/** Several at once: those that are over already, or not the person's to handle, stay as they are. Throws VALIDATION. */
export async function handleTriggers(ctx: Context, ids: readonly string[], wanted: HandlingRequest) {
  if (wanted.action === 'resolve' && !wanted.note) throw invalidField('note', 'required')
  await lockTriggers(ctx, ids)
  const rows = await findTriggers(ctx, ids)
  const changed = await handle(
    ctx,
    rows.filter((row) => mayHandle(ctx, row, wanted.action)),
    wanted,
  )
  return { changed, unchanged: ids.filter((id) => !changed.includes(id)) }
}

/** Applies the act to those triggers whose state allows it; who acknowledges looks after those that nobody does. Returns their ids. */
async function handle(ctx: Context, rows: readonly TriggerRow[], wanted: HandlingRequest): Promise<string[]> {
  const { action, note } = wanted
  const now = ctx.clock.now()
  const by = { id: ctx.person.id, name: ctx.person.fullname }
  const due = rows.flatMap((row) => {
    const after = apply(action, lifeOf(row), now.getTime())
    return after ? [{ row, state: stateOf(after.life.marks) }] : []
  })
  const ids = due.map(({ row }) => row.id)
  await writeHandled[action](ctx.tx, ctx.companyId, ids, { by, note, now })
  await markTriggersRead(ctx, ids)
  const taking = { to: by.id, by, now, isOnlyFree: true }
  const taken = new Set(action === 'acknowledge' ? await writeAssignee(ctx, ids, taking) : [])
  for (const { row, state } of due) {
    const names = namesOf(row)
    const isTaken = taken.has(row.id) && { assignee: by.name }
    ctx.audit({
      action: auditActionOf(wanted),
      target: { kind: 'trigger', id: row.id, name: names.device },
      before: { state: row.state },
      after: { state: action === 'resolve' ? 'resolved' : 'acknowledged', alarm: names.alarm, ...isTaken },
      ...(note ? { reason: note } : {}),
    })
    announceTrigger(ctx, row, state)
  }
  return ids
}

const auditActionOf = ({ action, isByLink }: HandlingRequest): string =>
  action === 'resolve' ? 'alarms.triggerResolved' : `alarms.triggerAcknowledged${isByLink ? 'ByLink' : ''}`
