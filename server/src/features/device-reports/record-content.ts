import type { Period } from '@isotherm/contract/common.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import type { Context } from '../../platform/context.ts'
import { headOf, type Proof, proofOf, type ReportHead } from '../../reporting/report-head.ts'
import { gather, type ReportContent } from './content.ts'
import type { ReportRow } from './queries.ts'
import type { RecordReader } from './record-reader.ts'

/** The content of a record's report: the record itself, then each of its devices. */
export interface RecordContent extends ReportHead, Proof {
  record: RecordDetails
  verdict: Verdict
  /** When it had none of its devices. */
  unattended: Period[]
  devices: ReportContent[]
  /** The devices whose measurements it tells of: its own, and those that its budget counts. */
  deviceIds: number[]
}

/** Gathers a record's report; throws NOT_FOUND where the person may not see it. Its period is that of the record by now. */
export async function gatherRecord(
  ctx: Context,
  reader: DeviceReader,
  records: RecordReader,
  row: ReportRow,
  recordId: string,
): Promise<RecordContent> {
  const { record, verdict, unattended, periods, deviceIds } = await records.record(ctx, recordId)
  const ofRecord = { ...row, period_from: new Date(record.from), period_to: new Date(record.to) }
  const devices: ReportContent[] = []
  for (const { id } of record.devices) {
    const own = periods.get(id)
    if (!own) continue
    const ofDevice = { ...row, period_from: new Date(own.from), period_to: new Date(own.to) }
    devices.push(await gather(ctx, reader, ofDevice, Number(id)))
  }
  return {
    ...(await headOf(ctx, ofRecord)),
    ...proofOf(ctx, row.report_key),
    record,
    ...{ verdict, unattended },
    devices,
    deviceIds,
  }
}
