import type { RecordDetails } from '@isotherm/contract/records.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import type { Context } from '../../platform/context.ts'

/** The data of a record, which another feature keeps. The app hands it in. */
export interface RecordReader {
  /** A record as its page shows it, the worst of its devices' verdicts, and the devices whose measurements it tells of. */
  record(ctx: Context, id: string): Promise<{ record: RecordDetails; verdict: Verdict; deviceIds: number[] }>
  /** Whether the person sees a record. */
  seesRecord(ctx: Context, id: string): Promise<boolean>
}
