import type { AssigneeQuery } from '@isotherm/contract/triage.ts'
import { insertAssigned, writeAssignee } from '../../core/alarms/assignee-sql.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { announceTrigger } from './announce-trigger.ts'
import { mayHandle } from './policy.ts'
import {
  findAssignable,
  findTriggers,
  listAssignees,
  listEditors,
  loadTrigger,
  lockTriggers,
  namesOf,
  type TriggerRow,
} from './trigger-queries.ts'

/**
 * Says who looks after a trigger; null: nobody. A person who is given it by somebody else is told. Throws NOT_FOUND, NOT_TOLD,
 * TRIGGER_PENDING, and VALIDATION for a person who does not see it or may not handle it.
 */
export async function assignTrigger(ctx: Context, id: string, userId: string | null): Promise<TriggerRow> {
  await lockTriggers(ctx, [id])
  const row = await loadTrigger(ctx, id)
  if (!mayHandle(ctx, row, 'acknowledge')) throw new AppError('NOT_TOLD')
  if (row.state === 'pending') throw new AppError('TRIGGER_PENDING')
  if (userId && (await findAssignable(ctx, [id], userId)).length === 0)
    throw invalidField('userId', 'rule.cannotHandle')
  const changed = await assign(ctx, [row], userId)
  return changed.length > 0 ? loadTrigger(ctx, id) : row
}

/** Several at once: those that are resolved, or not for the caller or that person to handle, stay as they are. */
export async function assignTriggers(ctx: Context, ids: readonly string[], userId: string | null) {
  await lockTriggers(ctx, ids)
  const rows = (await findTriggers(ctx, ids)).filter((row) => mayHandle(ctx, row, 'acknowledge'))
  const due = rows.filter(({ state }) => state !== 'pending')
  const can = userId
    ? new Set(
        await findAssignable(
          ctx,
          due.map(({ id }) => id),
          userId,
        ),
      )
    : null
  const changed = await assign(
    ctx,
    due.filter(({ id }) => !can || can.has(id)),
    userId,
  )
  return { changed, unchanged: ids.filter((id) => !changed.includes(id)) }
}

async function assign(ctx: Context, rows: readonly TriggerRow[], to: string | null): Promise<string[]> {
  const ids = rows.flatMap(({ id, state }) => (state === 'resolved' ? [] : id))
  const assigning = { to, by: { id: ctx.person.id, name: ctx.person.fullname }, now: ctx.clock.now() }
  const changed = await writeAssignee(ctx, ids, assigning)
  if (to && to !== ctx.person.id) await insertAssigned(ctx, changed, assigning)
  for (const after of await findTriggers(ctx, changed)) {
    const before = rows.find(({ id }) => id === after.id)
    const names = namesOf(after)
    ctx.audit({
      action: 'alarms.triggerAssigned',
      target: { kind: 'trigger', id: after.id, name: names.device },
      before: { assignee: before?.assignee?.name ?? null },
      after: { assignee: after.assignee?.name ?? null, alarm: names.alarm },
    })
    announceTrigger(ctx, after, after.state)
  }
  return changed
}

/** The people who can look after a trigger; nobody where it is not there for the caller, or they may not say who does. */
export async function assigneesOf(ctx: Context, { trigger, search }: AssigneeQuery) {
  if (!trigger) return ctx.can('alarms.addOrEdit') ? listEditors(ctx, search) : []
  const [row] = await findTriggers(ctx, [trigger])
  return row && mayHandle(ctx, row, 'acknowledge') ? listAssignees(ctx, trigger, search) : []
}
