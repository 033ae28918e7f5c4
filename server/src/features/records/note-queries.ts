import type { Insertable, Selectable } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import type { RecordAttachments, RecordNotes } from '../../platform/db/schema.ts'

/** The tables of what people add to a record: both kinds stay when they are taken away, marked. */
export type Addition = 'record_notes' | 'record_attachments'
export type NoteRow = Selectable<RecordNotes>
export type AttachmentRow = Selectable<RecordAttachments>
type RowOf<T extends Addition> = T extends 'record_notes' ? NoteRow : AttachmentRow

const present = ({ tx, companyId }: TenantTx, table: Addition) =>
  tx.selectFrom(table).where('company_id', '=', companyId).where('removed_at', 'is', null)

/** The notes, or the attachments, of a record, in the order they were added. */
export const additionsOf = <T extends Addition>(ctx: TenantTx, table: T, recordId: string): Promise<RowOf<T>[]> =>
  present(ctx, table).selectAll().where('record_id', '=', recordId).orderBy('id').execute() as Promise<RowOf<T>[]>

export async function countAdditions(ctx: TenantTx, table: Addition, recordId: string): Promise<number> {
  const { n } = await present(ctx, table)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('record_id', '=', recordId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const findAddition = <T extends Addition>(ctx: TenantTx, table: T, id: string): Promise<RowOf<T> | undefined> =>
  present(ctx, table).selectAll().where('id', '=', id).executeTakeFirst() as Promise<RowOf<T> | undefined>

export const insertNote = (ctx: TenantTx, row: Insertable<RecordNotes>): Promise<NoteRow> =>
  ctx.tx.insertInto('record_notes').values(row).returningAll().executeTakeFirstOrThrow()

export const insertAttachment = (ctx: TenantTx, row: Insertable<RecordAttachments>): Promise<AttachmentRow> =>
  ctx.tx.insertInto('record_attachments').values(row).returningAll().executeTakeFirstOrThrow()

/** Takes an addition away; undefined where somebody did so before. */
export const removeAddition = (ctx: Context, table: Addition, id: string) =>
  ctx.tx
    .updateTable(table)
    .set({ removed_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
