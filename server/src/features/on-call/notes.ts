import { onCallLimits } from '@isotherm/contract/on-call.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { deleteNotesBeyond, insertNote, lockNote, markRead, type NoteRow } from './note-queries.ts'
import { isNews, refuseOthers } from './policy.ts'

/** Leaves a note for the next on call. Throws NOT_ON_CALL. */
export async function addNote(ctx: Context, text: string): Promise<NoteRow> {
  await refuseOthers(ctx)
  const by = { by_id: ctx.person.id, by_name: ctx.person.fullname }
  const row = await insertNote(ctx, { text, at: ctx.clock.now(), ...by })
  await deleteNotesBeyond(ctx, onCallLimits.notes)
  ctx.audit({ action: 'alarms.handOverNoted', after: { text } })
  return row
}

/** Says that the person has read a note; of its author's own, and of one that was read, nothing changes. Throws NOT_FOUND, NOT_ON_CALL. */
export async function readNote(ctx: Context, id: string): Promise<NoteRow> {
  const row = orNotFound(await lockNote(ctx, id))
  await refuseOthers(ctx)
  if (!isNews(ctx, row)) return row
  ctx.audit({ action: 'alarms.handOverRead', after: { text: row.text } })
  return markRead(ctx, id, ctx.clock.now())
}
