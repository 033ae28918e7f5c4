import type { Selectable, Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { CardPages } from '../../platform/db/schema.ts'

export type CardPageRow = Selectable<CardPages>

export const insertCardPage = (
  { tx, companyId }: TenantTx,
  page: Pick<CardPageRow, 'provider' | 'reference' | 'asked_by' | 'created_at' | 'closes_at'>,
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
