import type { BulkColumn } from '@isotherm/contract/device-bulk.ts'
import type * as csv from '../../platform/csv/read-csv.ts'

/** A row of a file that sets up devices, and a fault of one. */
export type BulkLine = csv.CsvLine<BulkColumn>
export type RowProblem = csv.RowProblem<BulkColumn>
