import type { Selectable, Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { CardPages } from '../../platform/db/schema.ts'

export type CardPageRow = Selectable<CardPages>

export const insertCardPage = (
  { tx, companyId }: TenantTx,
  page: Pick<CardPageRow, 'provider' | 'reference' | 'asked_by' | 'created_at' | 'closes_at' | 'call_key'>,
): Promise<CardPageRow> =>
  tx
    .insertInto('card_pages')
    .values({ company_id: companyId, ...page })
    .returningAll()
    .executeTakeFirstOrThrow()

export const cardPageById = ({ tx, companyId }: TenantTx, id: string): Promise<CardPageRow | undefined> =>
  tx.selectFrom('card_pages').selectAll().where('company_id', '=', companyId).where('id', '=', id).executeTakeFirst()

export const cardPageByReference = ({ tx, companyId }: TenantTx, reference: string): Promise<CardPageRow | undefined> =>
  tx
    .selectFrom('card_pages')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('reference', '=', reference)
    .executeTakeFirst()

/** The page that a call of a person with this key began, while it is open. */
export const cardPageOfCall = (
  { tx, companyId }: TenantTx,
  { key, askedBy, now }: { key: Buffer; askedBy: string; now: Date },
): Promise<CardPageRow | undefined> =>
  tx
    .selectFrom('card_pages')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_key', '=', key)
    .where('asked_by', '=', askedBy)
    .where('closes_at', '>', now)
    .executeTakeFirst()

export const updateCardPage = (
  { tx, companyId }: TenantTx,
  id: string,
  change: Updateable<CardPages>,
): Promise<CardPageRow> =>
  tx
    .updateTable('card_pages')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
