import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

/** The company's device on a probe of this hardware, now or last; without a probe, on any. */
export const probeOf = (ctx: TenantTx, imei: string, probe: number | undefined) =>
  firstRow<{ id: number; probe: number }>(ctx.tx)`
    select device_id as id, probe from assignments
    where company_id = ${ctx.companyId} and imei = ${imei} and (${probe ?? null}::int2 is null or probe = ${probe ?? null})
    order by valid_to desc nulls first, probe limit 1`
