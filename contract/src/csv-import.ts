import { z } from 'zod'
import { printableLines, wholeLetters } from './common.ts'

export const csvLimits = { bytes: 1_000_000, rows: 2_000 } as const

const fits = (csv: string) => new TextEncoder().encode(csv).length <= csvLimits.bytes

/** A file's text: a header, then a row per thing; separated by commas or semicolons. */
export const CsvText = z
  .string()
  .min(1)
  .max(csvLimits.bytes)
  .refine(fits, 'csvTooLarge')
  .regex(printableLines, 'printable')
  .check(wholeLetters)

/** A file whose rows are added: all of them, or none. */
export const CsvImport = z.strictObject({
  csv: CsvText,
  /** True says what would happen, and changes nothing. */
  dryRun: z.boolean(),
})
export type CsvImport = z.infer<typeof CsvImport>

export const CsvImportResult = z.object({
  /** Whether the rows were added: all, or, if one is wrong or it is a dry run, none. */
  applied: z.boolean(),
  rows: z.number().int(),
  /** The faults, in the caller's language: of a row (the header is row 1), and of a column where it is not the whole row. */
  problems: z.array(z.object({ row: z.number().int(), column: z.string().nullable(), message: z.string() })),
  /** Problems of rows further down that the answer has no room for. */
  problemsLeftOut: z.number().int(),
})
export type CsvImportResult = z.infer<typeof CsvImportResult>
