import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { Part } from './order.ts'

const tables = ['stats', 'excursions', 'alarms', 'readings'] as const

/** The files a report is made of: one PDF; a workbook, and one of its readings; a CSV of each table. */
export function outputsOf({ contents, formats }: { contents: ReportContents[]; formats: ReportFormat[] }) {
  const chosen = tables.filter((table) => contents.includes(table))
  const parts: Record<ReportFormat, Part[]> = {
    pdf: ['document'],
    xlsx: [
      ...(chosen.some((table) => table !== 'readings') ? ['book' as const] : []),
      ...(chosen.includes('readings') ? ['readings' as const] : []),
    ],
    csv: chosen,
  }
  return formats.flatMap((format) => parts[format].map((part) => ({ format, part })))
}
