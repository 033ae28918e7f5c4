import type { AdditionKind } from '@isotherm/contract/records.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { findAddition, insertNote, type NoteRow, removeAddition } from './note-queries.ts'
import { lockRecord, refuseFull, refuseUnseen } from './policy.ts'
import { target } from './present.ts'

/** The columns of a new note or attachment that both have. */
export const madeFor = (ctx: Context, recordId: string, kind: AdditionKind) => ({
  company_id: ctx.companyId,
  record_id: recordId,
  created_at: ctx.clock.now(),
  created_by: ctx.person.id,
  created_by_name: ctx.person.fullname,
  is_addendum: kind === 'addendum',
})

interface NewNote {
  text: string
  kind: AdditionKind
  seenSignatures?: number
}

/** Adds a note. Throws NOT_FOUND, RECORD_SIGNED_MEANWHILE or RECORD_FULL. */
export async function addNote(
  ctx: Context,
  recordId: string,
  { text, kind, seenSignatures }: NewNote,
): Promise<NoteRow> {
  const record = await lockRecord(ctx, recordId)
  if (kind === 'part') await refuseUnseen(ctx, recordId, seenSignatures)
  await refuseFull(ctx, 'record_notes', recordId)
  const row = await insertNote(ctx, { ...madeFor(ctx, recordId, kind), text })
  ctx.audit({
    action: 'records.noteAdded',
    target: target(record),
    after: { note: row.id, text, isAddendum: row.is_addendum },
  })
  return row
}

/** Takes a note away; the audit trail keeps it. Throws NOT_FOUND or RECORD_SIGNED_MEANWHILE. */
export async function removeNote(ctx: Context, id: string, seenSignatures?: number): Promise<void> {
  const row = orNotFound(await findAddition(ctx, 'record_notes', id))
  const record = await lockRecord(ctx, row.record_id)
  await refuseUnseen(ctx, record.id, seenSignatures)
  orNotFound(await removeAddition(ctx, 'record_notes', id))
  ctx.audit({ action: 'records.noteRemoved', target: target(record), before: { note: id, text: row.text } })
}
