import type { ExportCursor, ExportedReading } from '@isotherm/contract/readings-export.ts'
import type { TestApp } from './harness.ts'

export interface TestExport {
  status: number
  code?: string
  readings: ExportedReading[]
  cursors: ExportCursor[]
  /** The last line. */
  end: ExportCursor
}

const isCursor = (line: object): line is ExportCursor => 'cursor' in line

/** The lines of an answer. */
export function linesOf(text: string): Pick<TestExport, 'readings' | 'cursors' | 'end'> {
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line): ExportedReading | ExportCursor => JSON.parse(line))
  const cursors = lines.filter(isCursor)
  const readings = lines.filter((line): line is ExportedReading => !isCursor(line))
  return { readings, cursors, end: cursors.at(-1) ?? { cursor: '', hasMore: true, hidden: 0 } }
}

/** Exports readings by the call. */
export async function exportOnce(
  test: TestApp,
  token: string,
  query: Record<string, string> = {},
): Promise<TestExport> {
  const { status, body } = await test.call('GET', '/readings/export', { token, query })
  return { status, code: body.code, ...linesOf(status === 200 ? body : '') }
}

/** A reading by device and time, as text. */
export const keyOf = ({ deviceId, at }: { deviceId: string | number; at: string }) => `${deviceId} ${at}`
