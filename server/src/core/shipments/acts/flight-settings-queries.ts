import type { TenantTx } from '../../../platform/context.ts'
import { firstRow } from '../../../platform/db/rows.ts'

/** Whether devices of a shipment that departs by air go into flight mode: so it is where the company has set nothing. */
export const fliesItself = async ({ tx, companyId }: TenantTx): Promise<boolean> =>
  (
    await firstRow<{ flight_mode: boolean }>(tx)`
      select flight_mode from export_settings where company_id = ${companyId}`
  )?.flight_mode ?? true
