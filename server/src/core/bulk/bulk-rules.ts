import type { BulkUpload, DateOrder } from '@isotherm/contract/bulk-uploads.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { Message } from '@isotherm/contract/errors.ts'
import type { SheetCell } from '../../platform/sheets/sheet.ts'

/** How the cells of a file are to be understood. */
export interface ReadBy {
  dateOrder: DateOrder
  /** Days that the numbers of days are moved by. */
  serialShift: number
  /** The language of the person, in which faults name choices and columns. */
  locale: Locale
}

export type Read = { value: unknown } | { message: Message }
export type Reader = (cell: Exclude<SheetCell, null>, by: ReadBy) => Read

/** The name of a value of the API in a language. */
export type NameIn = (value: string, locale: Locale) => string

export interface BulkColumn {
  name: string
  /** A file without it is none of its kind. */
  isNeeded?: boolean
  read: Reader
  /** Templates keep what is typed as it is: zeros in front, and all digits. */
  isText?: boolean
  /** As somebody would write it. */
  example: string
  /** The name of a choice in a language, where it has one. */
  nameIn?: NameIn
  /** The values to choose from; or where they come from: names of things of the company. */
  choices?: readonly string[] | 'origins' | 'destinations' | 'partners' | 'contacts' | 'drivers' | 'vehicles'
}

export interface RowFault {
  /** Null: of the whole row. */
  column: string | null
  message: Message
}

/** A row of a file, read cell by cell. A cell that could not be read is left out, and has a fault. */
export interface BulkLine {
  row: number
  values: Record<string, unknown>
  /** As it stands in the file. */
  texts: Record<string, string>
  faults: RowFault[]
}

/** A fault as it is kept; `row` is null where it is of the file as a whole. */
export interface KeptFault extends RowFault {
  row: number | null
  value: string | null
}

/** The first rows as they are understood, with what is told of any row and does not refuse the file. */
export type KeptPreview = NonNullable<BulkUpload['preview']> & { warnings: KeptFault[]; warningCount: number }

/** The lines that are one thing, in their order. */
export type BulkLines = readonly [BulkLine, ...BulkLine[]]

/** A fault of one thing, in its first line where no other one is named. */
export interface ThingFault extends RowFault {
  line?: BulkLine
}

/** A fault or a warning of a line. */
export interface LineFault extends RowFault {
  line: BulkLine
}

/** The rules of a kind of file. They run in a thread of their own and know no database: what they need of it they ask for, once. */
export interface BulkRules<Ask, Facts, Thing> {
  columns: readonly BulkColumn[]
  /** Everything that is to be looked up for all rows together. */
  ask(lines: readonly BulkLine[]): Ask
  /** The lines of each thing; left out: each line is one. */
  together?(lines: readonly BulkLine[]): BulkLines[]
  /** Checks a thing by the rules of a single one. */
  check(facts: Facts): (lines: BulkLines) => { faults: ThingFault[] } | { thing: Thing }
  /** Compares the things of a file with one another and with those that are there: faults, and warnings, which refuse nothing. */
  compare?(facts: Facts): (things: readonly BulkLines[]) => { faults: LineFault[]; warnings: LineFault[] }
  /** Tells what is made of the lines of a thing, in words, by line and column. Left out, also of a column: what was read. */
  show?(facts: Facts, locale: Locale): (thing: Thing, lines: BulkLines) => ReadonlyMap<BulkLine, Record<string, string>>
}

/** Names of a column in the four languages, as templates have them. */
export type Headings = Record<Locale, Record<string, string>>
