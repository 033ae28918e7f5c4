import type { Period } from '@isotherm/contract/common.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import type { Context } from '../../platform/context.ts'

export interface ReportedRecord {
  record: RecordDetails
  verdict: Verdict
  /** When it had none of its devices. */
  unattended: Period[]
  /** By device; of those that are left out nothing counts. */
  periods: ReadonlyMap<string, Period>
  deviceIds: number[]
}

/** The data of a record, which another feature keeps. The app hands it in. */
export interface RecordReader {
  /** A record as its page shows it, with its verdict, what counts of each device, and the devices whose measurements it tells of. */
  record(ctx: Context, id: string): Promise<ReportedRecord>
  /** Whether the person sees a record. */
  seesRecord(ctx: Context, id: string): Promise<boolean>
}
