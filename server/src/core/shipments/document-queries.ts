import type { Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { ShipmentDocuments } from '../../platform/db/schema.ts'

export type ShipmentDocumentRow = Selectable<ShipmentDocuments>

/** The documents of a shipment with all their versions, the newest of each first. */
export const documentsOf = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<ShipmentDocumentRow[]> =>
  allRows<ShipmentDocumentRow>(tx)`
    select * from shipment_documents where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
      and removed_at is null
    order by document_no, version desc`
