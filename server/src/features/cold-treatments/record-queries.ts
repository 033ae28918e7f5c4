import { type Insertable, type Selectable, sql } from 'kysely'
import { seesAllOfSql } from '../../core/devices/visible-devices.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { ColdTreatmentRecords } from '../../platform/db/schema.ts'

export type RecordRow = Selectable<ColdTreatmentRecords>

export const insertRecord = ({ tx }: ViewerTx, values: Insertable<ColdTreatmentRecords>): Promise<RecordRow> =>
  tx.insertInto('cold_treatment_records').values(values).returningAll().executeTakeFirstOrThrow()

/** A monitoring record that tells of no device that the person does not see now; undefined for any other. */
export const findRecord = (ctx: ViewerTx, id: string): Promise<RecordRow | undefined> =>
  firstRow<RecordRow>(ctx.tx)`
    select r.* from cold_treatment_records r
    where r.company_id = ${ctx.companyId} and r.id = ${id}::int8 and ${seesAllOfSql(ctx, 'r')}`

export const listRecords = (ctx: ViewerTx, shipmentId: string, paging: { page: number; perPage: number }) =>
  pageOfRows<RecordRow>(ctx.tx, paging, {
    columns: sql`r.*`,
    from: sql`cold_treatment_records r
      where r.company_id = ${ctx.companyId} and r.shipment_id = ${shipmentId}::int8 and ${seesAllOfSql(ctx, 'r')}`,
    order: sql`r.created_at desc, r.id desc`,
  })
