import type { CsvImport, CsvImportResult } from '@isotherm/contract/csv-import.ts'
import { type ErrorCode, messagesOf } from '@isotherm/contract/errors.ts'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { beginRehearsal, takeBack } from '../db/rehearsal.ts'
import { AppError, InvalidInput } from '../errors/app-error.ts'
import { translate } from '../i18n/i18n.ts'
import { type CsvColumns, type CsvLine, type RowProblem, readCsv } from './read-csv.ts'

/** Things of one kind that a file adds. */
export interface CsvKind<C extends string, T> extends CsvColumns<C> {
  schema: z.ZodType<T>
  /** The input of the schema. A field in it has the name of its column. */
  inputOf(cells: CsvLine<C>['cells']): object
  /** Refuses so many rows at once, where a file of them is more than many single ones. */
  refuse?: (rows: number) => Promise<void>
  add(input: T): Promise<unknown>
  /** The columns that codes of `add` are about. */
  columnOf?: Partial<Record<ErrorCode, C>>
}

// After mending these, the person sends the file again.
const maxProblems = 200

/**
 * Adds the rows of a CSV: all or none. A dry run does the same and takes it back, so that its faults are those of the real run.
 * Throws VALIDATION about the file as a whole, and what `refuse` throws.
 */
export async function importCsv<C extends string, T>(
  ctx: Context,
  { csv, dryRun }: CsvImport,
  kind: CsvKind<C, T>,
): Promise<CsvImportResult> {
  const lines = readCsv(csv, kind)
  await kind.refuse?.(lines.length)
  await beginRehearsal(ctx)
  const problems: CsvImportResult['problems'] = []
  for (const line of lines)
    for (const { column, message } of await faultsOf(line, kind))
      problems.push({ row: line.row, column, message: translate(ctx.locale, `errors:${message.key}`, message.values) })
  const applied = !dryRun && problems.length === 0
  if (!applied) await takeBack(ctx)
  const shown = problems.slice(0, maxProblems)
  return { applied, rows: lines.length, problems: shown, problemsLeftOut: problems.length - shown.length }
}

/** Adds a row; returns its faults where it has some. */
async function faultsOf<C extends string, T>(line: CsvLine<C>, kind: CsvKind<C, T>): Promise<RowProblem[]> {
  const { data, error } = kind.schema.safeParse(kind.inputOf(line.cells))
  const faults = [...line.problems, ...(error ? messagesOf(error).map(byColumn(kind)) : [])]
  if (data === undefined || faults.length > 0) return oncePerColumn(faults)
  try {
    await kind.add(data)
    return []
  } catch (thrown) {
    if (thrown instanceof InvalidInput) return thrown.problems.map(byColumn(kind))
    if (!(thrown instanceof AppError)) throw thrown
    const message = { key: `codes.${thrown.code}`, values: thrown.values }
    return [{ column: kind.columnOf?.[thrown.code] ?? null, message }]
  }
}

const byColumn =
  <C extends string>({ columns }: CsvColumns<C>) =>
  ({ path, message }: InvalidInput['problems'][number]): RowProblem => {
    const field = path.split('.').at(-1)
    return { column: columns.find((column) => column === field) ?? null, message }
  }

/** The first fault of each cell, which is the most telling one. */
const oncePerColumn = (faults: RowProblem[]) =>
  faults.filter(({ column }, index) => faults.findIndex((other) => other.column === column) === index)
