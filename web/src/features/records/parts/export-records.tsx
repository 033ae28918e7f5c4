import type { RecordQuery } from '@isotherm/contract/records.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'

type ExportQuery = Pick<RecordQuery, 'search' | 'state' | 'sort'>

/** records.csv of what the list's search and filter leave. */
export function ExportRecords({
  query: { search, state, sort },
  total,
  load,
}: {
  query: ExportQuery
  total: number | undefined
  load: (query: ExportQuery) => Promise<Blob>
}) {
  return <ExportButton fileName="records.csv" disabled={total === 0} load={() => load({ search, state, sort })} />
}
