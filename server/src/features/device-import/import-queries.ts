import type { TenantTx } from '../../platform/context.ts'

/** The company's devices that these pieces of hardware measure for now. */
export const usesOf = ({ tx, companyId }: TenantTx, imeis: readonly string[]) =>
  tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'device_id'])
    .where('company_id', '=', companyId)
    .where('valid_to', 'is', null)
    .where('imei', 'in', imeis)
    .execute()
