import { records } from '@isotherm/contract/records.ts'
import { ReportButton } from '../../features/records/parts/report-button.tsx'
import { useCall } from '../../lib/query.ts'

/** Saves or mails what was measured on an order, the report of its record; nothing where the person does not see the record. */
export function OrderDownload({ recordId }: { recordId: string }) {
  const { data } = useCall(records.one, { params: { id: recordId } })
  return data ? <ReportButton record={data} /> : null
}
