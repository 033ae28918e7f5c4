import type { Insertable } from 'kysely'
import type { ShipmentDocumentRow } from '../../core/shipments/document-queries.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { ShipmentDocuments } from '../../platform/db/schema.ts'

export interface Numbers {
  /** The highest number that any document of the shipment has had. */
  last: number
  /** Files that are there. */
  kept: number
  /** The newest version of the document that was asked for; null: there is no such one. */
  version: number | null
}

/** The numbers by which the next file of a locked shipment is called. */
export const numbersOf = async ({ tx, companyId }: TenantTx, shipmentId: string, documentNo: number | undefined) =>
  (await firstRow<Numbers>(tx)`
    select coalesce(max(document_no), 0) as last, count(*) filter (where removed_at is null)::int as kept,
      case when bool_or(document_no = ${documentNo ?? null}::int4 and removed_at is null)
        then max(version) filter (where document_no = ${documentNo ?? null}::int4) end as version
    from shipment_documents where company_id = ${companyId} and shipment_id = ${shipmentId}::int8`) as Numbers

export const insertDocument = (
  { tx, companyId }: TenantTx,
  row: Omit<Insertable<ShipmentDocuments>, 'company_id'>,
): Promise<ShipmentDocumentRow> =>
  tx
    .insertInto('shipment_documents')
    .values({ ...row, company_id: companyId })
    .returningAll()
    .executeTakeFirstOrThrow()

export const findDocument = ({ tx, companyId }: TenantTx, id: string): Promise<ShipmentDocumentRow | undefined> =>
  firstRow<ShipmentDocumentRow>(tx)`
    select * from shipment_documents where company_id = ${companyId} and id = ${id}::int8 and removed_at is null`

/** False where it was taken away meanwhile. */
export const setRemoved = async ({ tx, companyId, clock }: TenantTx & Pick<Context, 'clock'>, id: string) =>
  (await firstRow(tx)`
    update shipment_documents set removed_at = ${clock.now()}
    where company_id = ${companyId} and id = ${id}::int8 and removed_at is null returning id`) !== undefined
