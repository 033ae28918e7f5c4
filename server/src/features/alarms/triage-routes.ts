import type { TriggerComment, triage } from '@isotherm/contract/triage.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { assigneesOf, assignTrigger, assignTriggers } from './assign.ts'
import type { CommentRow } from './comment-queries.ts'
import { addComment, listComments } from './comments.ts'
import { presentTrigger } from './present-trigger.ts'
import type { AlarmSources } from './routes.ts'

export const triageHandlers = ({ nearestTownName }: AlarmSources): Handlers<typeof triage> => ({
  comments: async (ctx, { params }) => (await listComments(ctx, params.id)).map(presentComment),
  addComment: async (ctx, { params, body }) => presentComment(await addComment(ctx, params.id, body.text)),
  assignees: (ctx, { query }) => assigneesOf(ctx, query),
  assign: async (ctx, { params, body }) =>
    presentTrigger(ctx, await assignTrigger(ctx, params.id, body.userId), nearestTownName),
  assignMany: (ctx, { body }) => assignTriggers(ctx, body.ids, body.userId),
})

const presentComment = ({ id, text, at, by_id, by_name }: CommentRow): TriggerComment => ({
  id,
  text,
  at: at.toISOString(),
  by: { id: by_id, name: by_name },
})
