import type { Rules } from '../domain/rules.ts'
import type { PdfDocument } from './pdf.ts'
import type { Row } from './readings.ts'
import type { Proof, ReportHead } from './report-head.ts'
import type { Sheet, Table } from './tables.ts'
import type { Words } from './words.ts'
import type { Packed } from './zip.ts'

/** A device whose readings are data of a report; both ends of its time belong to it, ms. */
export interface MeasuredDevice {
  deviceId: number
  from: number
  until: number
  rules: Rules
  /** The statements about it whose hash is proven: nothing that differs between two issues of the same data. */
  evidence: object
}

/** The data of a report as its snapshot has it. Without `data` of its layout it is empty. */
export interface Digest {
  readings: number
  byDevice: ReadonlyMap<number, number>
  /** Hex, over a line of canonical JSON for each evidence, each device's followed by a line for every reading of it. */
  dataSha256: string
}

/** The source of every format. */
export interface Source<C> {
  content: C
  digest: Digest
  words: Words
  /** The readings of a device of `data`, from the first to the last; some at a time. */
  rows(device: MeasuredDevice): AsyncIterable<Row[]>
}

/** How the content of one kind of report becomes a file, in the process that writes. */
export interface Layout<C extends ReportHead & Partial<Proof>> {
  /** Its readings, for a report that has such; `evidence` is of all of it. */
  data?(content: C): { evidence?: object; devices: MeasuredDevice[] }
  pdf(source: Source<C>): PdfDocument | Promise<PdfDocument>
  /** The table that is its CSV. */
  table?(source: Source<C>): Table
  /** The sheets of its XLSX. With very many readings the table alone is written. */
  sheets?(source: Source<C>): (Sheet | Table)[]
  /** The files of its ZIP beside its PDF. */
  files?(source: Source<C>): Packed[]
}
