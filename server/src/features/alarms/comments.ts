import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { announceTrigger } from './announce-trigger.ts'
import { type CommentRow, commentsOf, insertComment } from './comment-queries.ts'
import { mayHandle } from './policy.ts'
import { loadTrigger, lockTriggers, namesOf } from './trigger-queries.ts'

/** The comments on a trigger, oldest first. Throws NOT_FOUND. */
export async function listComments(ctx: Context, id: string): Promise<CommentRow[]> {
  const { id: triggerId } = await loadTrigger(ctx, id)
  return commentsOf(ctx, triggerId)
}

/** Comments on a trigger; a comment stays as it is. Throws NOT_FOUND, NOT_TOLD, TRIGGER_PENDING, TRIGGER_FULL. */
export async function addComment(ctx: Context, id: string, text: string): Promise<CommentRow> {
  await lockTriggers(ctx, [id])
  const trigger = await loadTrigger(ctx, id)
  if (!mayHandle(ctx, trigger, 'acknowledge')) throw new AppError('NOT_TOLD')
  if (trigger.state === 'pending') throw new AppError('TRIGGER_PENDING')
  if (trigger.comments >= alarmLimits.comments) throw new AppError('TRIGGER_FULL', { limit: alarmLimits.comments })
  const { id: byId, fullname } = ctx.person
  const row = await insertComment(ctx, { trigger_id: id, text, at: ctx.clock.now(), by_id: byId, by_name: fullname })
  const names = namesOf(trigger)
  ctx.audit({
    action: 'alarms.triggerCommented',
    target: { kind: 'trigger', id, name: names.device },
    after: { text, alarm: names.alarm },
  })
  announceTrigger(ctx, trigger, trigger.state)
  return row
}
