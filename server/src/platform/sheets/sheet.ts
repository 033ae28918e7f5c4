import type { Message } from '@isotherm/contract/errors.ts'

/** A cell as a file has it. `fault`: a key below `errors:fields.rule.sheet`, of a cell that has no value. Of a time, the UTC fields are what it shows. */
export type SheetCell = string | number | boolean | Date | null | { fault: string; text: string }

export interface SheetRow {
  /** As a spreadsheet counts. */
  row: number
  cells: SheetCell[]
}

export interface ReadSheet {
  /** Without those that are empty; the first one has the headings. */
  rows: SheetRow[]
  sheet: string | null
  encoding: string | null
  hiddenRows: number
  otherSheets: number
  /** Days that the numbers of days are to be moved by: books that count from 1904. */
  serialShift: number
}

/** A file that cannot be taken as a whole. */
export class SheetRefused extends Error {
  readonly faults: Message[]
  constructor(faults: Message[]) {
    super(faults.map(({ key }) => key).join(', '))
    this.faults = faults
  }
}

/** A message below `errors:fields.rule.sheet`. */
export const sheetRule = (name: string, values: Message['values'] = {}): Message => ({
  key: `fields.rule.sheet.${name}`,
  values,
})

export const refuse = (name: string, values: Message['values'] = {}) => new SheetRefused([sheetRule(name, values)])

/** Whether a text is what spreadsheets show where a formula has no result. */
export const isErrorText = (text: string): boolean =>
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/.test(text)
