import { type Insertable, type Selectable, sql } from 'kysely'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import { countRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { HandOverNotes } from '../../platform/db/schema.ts'

export type NoteRow = Selectable<HandOverNotes>

/** One page of the notes, newest first, and how many there are. */
export const listNotes = ({ tx, companyId }: TenantTx, paging: { page: number; perPage: number }) =>
  pageOfRows<NoteRow>(tx, paging, {
    columns: sql`*`,
    from: sql`hand_over_notes where company_id = ${companyId}`,
    order: sql`id desc`,
  })

/** A note, held against others who read it until the transaction ends. */
export const lockNote = ({ tx, companyId }: TenantTx, id: string): Promise<NoteRow | undefined> =>
  firstRow<NoteRow>(tx)`select * from hand_over_notes where company_id = ${companyId} and id = ${id}::int8 for update`

export const insertNote = (
  { tx, companyId }: TenantTx,
  note: Omit<Insertable<HandOverNotes>, 'company_id'>,
): Promise<NoteRow> =>
  tx
    .insertInto('hand_over_notes')
    .values({ ...note, company_id: companyId })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes the oldest notes beyond so many. */
export const deleteNotesBeyond = ({ tx, companyId }: TenantTx, most: number) =>
  sql`delete from hand_over_notes where company_id = ${companyId} and id <= (
    select id from hand_over_notes where company_id = ${companyId} order by id desc offset ${most} limit 1)`.execute(tx)

export const markRead = ({ tx, companyId, person }: ViewerTx, id: string, at: Date): Promise<NoteRow> =>
  tx
    .updateTable('hand_over_notes')
    .set({ read_at: at, read_by_name: person.fullname })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Whether a person is in a rota, or stands in for somebody of it. */
export const isInRota = async ({ tx, companyId, person }: ViewerTx): Promise<boolean> =>
  (await countRows(tx)`select count(*)::int as n from rotas o
    where o.company_id = ${companyId} and o.archived_at is null and (
      exists (select from rota_people q where q.company_id = o.company_id and q.rota_id = o.id and q.user_id = ${person.id}::int8)
      or exists (select from rota_overrides x where x.company_id = o.company_id and x.rota_id = o.id
        and x.user_id = ${person.id}::int8))`) > 0
