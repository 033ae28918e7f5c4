import { z } from 'zod'
import { Id } from './common.ts'
import { CsvText } from './csv-import.ts'

/** The columns of a file that sets up devices, as its first line names them; upper and lower case are alike. */
export const bulkColumns = [
  'imei',
  'claimCode',
  'licenceKey',
  'name',
  'tag',
  'intervalS',
  'visibility',
  'temperatureMinC',
  'temperatureMaxC',
  'humidityMinPct',
  'humidityMaxPct',
  'preset',
  'probe',
  'groups',
] as const
export const BulkColumn = z.enum(bulkColumns)
export type BulkColumn = z.infer<typeof BulkColumn>

export const DeviceBulkSetup = z.strictObject({
  csv: CsvText,
  /** True says what would happen to every row, and changes nothing. */
  dryRun: z.boolean(),
  /** Takes IMEIs whose check digit is wrong. */
  overrideImeiCheck: z.boolean().default(false),
})
export type DeviceBulkSetup = z.infer<typeof DeviceBulkSetup>

/** `changes` and `unchanged`: the company has this device already; only name, tag, limits and groups can change so. */
export const bulkVerdicts = ['error', 'new', 'changes', 'unchanged'] as const
export const BulkVerdict = z.enum(bulkVerdicts)
export type BulkVerdict = z.infer<typeof BulkVerdict>

export const BulkRow = z.object({
  /** As a spreadsheet counts: the header is row 1. */
  row: z.number().int(),
  imei: z.string(),
  name: z.string(),
  verdict: BulkVerdict,
  /** The fault, in the caller's language; without a column where it is the whole row. */
  problems: z.array(z.object({ column: BulkColumn.nullable(), message: z.string() })),
  /** For a device the company has: the changes, and the cells of the file that do not count for it. */
  changes: z.array(BulkColumn),
  ignored: z.array(BulkColumn),
  /** The id of a device that was set up or changed; null in a dry run. */
  deviceId: Id.nullable(),
  /** The new secret of hardware that another company had before: shown this once; else null. */
  newSecret: z.string().nullable(),
})
export type BulkRow = z.infer<typeof BulkRow>

export const BulkResult = z.object({
  /** Whether anything was written: all rows, or, if one is wrong or it is a dry run, none. */
  applied: z.boolean(),
  counts: z.record(BulkVerdict, z.number().int()),
  rows: z.array(BulkRow),
  /** Problems of rows further down that the answer has no room for. */
  problemsLeftOut: z.number().int(),
})
export type BulkResult = z.infer<typeof BulkResult>
