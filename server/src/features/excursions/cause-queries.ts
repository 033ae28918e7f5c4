import type { ExcursionCause } from '@isotherm/contract/excursions.ts'
import type { Selectable, Updateable } from 'kysely'
import { causeKeySql, causeNameSql } from '../../core/devices/annotation-sql.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { ExcursionCauses } from '../../platform/db/schema.ts'

type CauseRow = Selectable<ExcursionCauses>

/** The causes that are kept in the table, in the reader's language. */
export const keptCauses = ({ tx, companyId, locale }: Context): Promise<ExcursionCause[]> =>
  allRows<ExcursionCause>(tx)`
    select ${causeKeySql} as key, ${causeNameSql(locale)} as name, c.retired_at is not null as "isRetired"
    from excursion_causes c where c.company_id = ${companyId}`

/** Keeps a code of the contract's in the table, where it is not there yet. */
export const keepCode = ({ tx, companyId }: TenantTx, code: string) =>
  tx
    .insertInto('excursion_causes')
    .values({ company_id: companyId, code })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** A cause by its key, locked until the transaction ends. */
export const lockCause = ({ tx, companyId }: TenantTx, key: string): Promise<CauseRow | undefined> =>
  tx
    .selectFrom('excursion_causes as c')
    .selectAll()
    .where('c.company_id', '=', companyId)
    .where(causeKeySql, '=', key)
    .forUpdate()
    .executeTakeFirst()

export const insertCause = ({ tx, companyId }: TenantTx, name: string): Promise<CauseRow> =>
  tx.insertInto('excursion_causes').values({ company_id: companyId, name }).returningAll().executeTakeFirstOrThrow()

export const updateCause = ({ tx, companyId }: TenantTx, id: string, change: Updateable<ExcursionCauses>) =>
  tx.updateTable('excursion_causes').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()
