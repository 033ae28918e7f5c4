import { noteEvents } from '../core/events/note-events.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { IssuedRow, IssuedTable } from './issued-report.ts'

const kinds = {
  device_reports: 'device',
  group_reports: 'group',
  order_claims: 'claim',
  cold_treatment_records: 'coldTreatment',
  shipment_reports: 'shipment',
} as const satisfies Record<IssuedTable, string>

/** Writes that a report is ready into the company's feed; `columns`: those that it has by now, its devices among them where it names some. */
export const noteReady = (
  tx: Tx,
  table: IssuedTable,
  { company_id: companyId, id, format }: Pick<IssuedRow, 'company_id' | 'id' | 'format'>,
  now: Date,
  columns: { device_ids?: number[] | null },
): Promise<void> =>
  noteEvents(tx, [
    {
      ...{ companyId, type: 'report.ready', key: `${kinds[table]}:${id}`, at: now },
      ...(columns.device_ids ? { deviceIds: columns.device_ids } : {}),
      data: { reportId: id, kind: kinds[table], format },
    },
  ])
