import type { ShipmentReportKind } from '@isotherm/contract/shipment-calls.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { seesAllOfSql } from '../../core/devices/visible-devices.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { ShipmentReports } from '../../platform/db/schema.ts'

export type ShipmentReportRow = Selectable<ShipmentReports>

export const insertReport = ({ tx }: ViewerTx, values: Insertable<ShipmentReports>): Promise<ShipmentReportRow> =>
  tx.insertInto('shipment_reports').values(values).returningAll().executeTakeFirstOrThrow()

/** A report that tells of no device that the person does not see now; undefined for any other. */
export const findReport = (ctx: ViewerTx, id: string): Promise<ShipmentReportRow | undefined> =>
  firstRow<ShipmentReportRow>(ctx.tx)`
    select r.* from shipment_reports r
    where r.company_id = ${ctx.companyId} and r.id = ${id}::int8 and ${seesAllOfSql(ctx, 'r')}`

type SameReport = Pick<ShipmentReportRow, 'kind' | 'format' | 'locale' | 'carriage' | 'recipients'> & {
  shipmentId: string
  since: Date
}

/** The same report that the person asked for after an instant, and that is not made yet. */
export const openReport = (
  { tx, companyId, person }: ViewerTx,
  { shipmentId, kind, format, locale, carriage, recipients, since }: SameReport,
): Promise<ShipmentReportRow | undefined> =>
  firstRow<ShipmentReportRow>(tx)`
    select * from shipment_reports where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and kind = ${kind}
      and format = ${format} and locale = ${locale} and carriage is not distinct from ${carriage} and requested_by = ${person.id}::int8 and state in ('waiting', 'building')
      and recipients is not distinct from ${recipients}::int8[] and created_at > ${since} order by id desc limit 1`

export interface ReportsAsked {
  page: number
  perPage: number
  kind?: ShipmentReportKind | undefined
}

export const listReports = (ctx: ViewerTx, shipmentId: string, { kind, ...paging }: ReportsAsked) =>
  pageOfRows<ShipmentReportRow>(ctx.tx, paging, {
    columns: sql`r.*`,
    from: sql`shipment_reports r where r.company_id = ${ctx.companyId} and r.shipment_id = ${shipmentId}::int8
      and (${kind ?? null}::text is null or r.kind = ${kind ?? null}) and ${seesAllOfSql(ctx, 'r')}`,
    order: sql`r.created_at desc, r.id desc`,
  })
