import { inTurns } from '../loop/turns.ts'
import { byteOrderMark, csvLines } from './csv-lines.ts'
import type { FileBody } from './serve.ts'

/** More rows than any list of a company has. */
export const maxRows = 100_000

/**
 * A list as a file: a line per row, numbers and times as machines read them; a text is never a formula. Lines that are made when they are asked
 * for hold nothing up, however many there are.
 */
export async function listCsv(
  filename: string,
  columns: readonly string[],
  lines: Iterable<unknown[]>,
): Promise<FileBody> {
  let body = `${byteOrderMark}${csvLines([columns])}`
  for await (const some of inTurns(lines, 200)) body += csvLines(some)
  return { filename, body }
}
