import { z } from 'zod'
import { alarmLimits } from './alarm-rules.ts'
import { get, post, put } from './call.ts'
import { Id, Instant, paragraph, text } from './common.ts'
import { Trigger, TriggersChanged } from './triggers.ts'

/** Words of a person about a trigger; they stay as they are. */
export const TriggerComment = z.object({
  id: Id,
  text: z.string(),
  at: Instant,
  by: z.object({ id: Id, name: z.string() }),
})
export type TriggerComment = z.infer<typeof TriggerComment>

export const NewTriggerComment = z.strictObject({
  text: paragraph(alarmLimits.noteLength).refine((value) => value.length > 0, 'noteEmpty'),
})

/** The person who looks after triggers from now on; null: nobody. */
export const Assignment = z.strictObject({ userId: Id.nullable() })
export type Assignment = z.infer<typeof Assignment>

/** Without `trigger`: those who may edit alarms. */
export const AssigneeQuery = z.strictObject({ trigger: Id.optional(), search: text(100, 0).optional() })
export type AssigneeQuery = z.infer<typeof AssigneeQuery>

/** How people share the work on what has fired. */
export const triage = {
  comments: get('/alarm-triggers/:id/comments', {
    needs: 'alarms.view',
    summary: 'The comments on a trigger, oldest first',
    returns: z.array(TriggerComment),
  }),
  addComment: post('/alarm-triggers/:id/comments', {
    needs: 'alarms.view',
    summary: 'Comments on a trigger: by whoever was told, or with addOrEdit',
    body: NewTriggerComment,
    returns: TriggerComment,
  }),
  assignees: get('/alarm-triggers/assignees', {
    needs: 'alarms.view',
    summary: 'The people who can look after a trigger, the first 50 by name',
    query: AssigneeQuery,
    returns: z.array(z.object({ id: Id, name: z.string() })),
  }),
  assign: put('/alarm-triggers/:id/assignee', {
    needs: 'alarms.view',
    summary: 'Says who looks after a trigger: by whoever was told, or with addOrEdit',
    auditOptional: true,
    body: Assignment,
    returns: Trigger,
  }),
  assignMany: put('/alarm-triggers/assignee', {
    needs: 'alarms.view',
    summary: 'Says who looks after several triggers',
    auditOptional: true,
    body: Assignment.extend({ ids: z.array(Id).min(1).max(500) }),
    returns: TriggersChanged,
  }),
}
