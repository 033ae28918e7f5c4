import type { NewOverride } from '@isotherm/contract/on-call.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

export const insertOverride = (
  { tx, companyId }: TenantTx,
  rotaId: string,
  { userId, insteadOf, from, to }: NewOverride,
) =>
  tx
    .insertInto('rota_overrides')
    .values({
      ...{ company_id: companyId, rota_id: rotaId, user_id: userId, instead_of: insteadOf },
      ...{ from_at: new Date(from), to_at: new Date(to) },
    })
    .execute()

/** Deletes overrides that ended before an instant; the trail keeps them. */
export const deleteOverridesBefore = ({ tx, companyId }: TenantTx, rotaId: string, before: Date) =>
  tx
    .deleteFrom('rota_overrides')
    .where('company_id', '=', companyId)
    .where('rota_id', '=', rotaId)
    .where('to_at', '<', before)
    .execute()

/** The rota of an override; undefined also where that was deleted. */
export const findRotaOf = async ({ tx, companyId }: TenantTx, id: string): Promise<string | undefined> =>
  (
    await firstRow<{ rota_id: string }>(tx)`select x.rota_id from rota_overrides x
      join rotas o on o.company_id = x.company_id and o.id = x.rota_id and o.archived_at is null
      where x.company_id = ${companyId} and x.id = ${id}::int8`
  )?.rota_id

export const deleteOverride = ({ tx, companyId }: TenantTx, id: string) =>
  tx.deleteFrom('rota_overrides').where('company_id', '=', companyId).where('id', '=', id).execute()
