import { type RecordDetails, type RecordReport, records } from '@isotherm/contract/records.ts'
import { useTranslation } from 'react-i18next'
import { call, deadLineMs } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import type { IssuedKind } from '../../../shared/issued/issued-kind.ts'
import { ReportMenu } from '../../../shared/issued/report-menu.tsx'

/** Saves or mails the record's report; nothing for a role that may not export. */
export function ReportButton({ record }: { record: RecordDetails }) {
  const { t } = useTranslation('records')
  const mayExport = useCan(records.report)
  if (!mayExport || record.state === 'planned') return null
  const params = { id: record.id }
  const kind: IssuedKind<RecordReport> = {
    order: ({ contents, locale }, recipients) =>
      call(records.report, { params, body: { contents, locale, recipients } }, { toastAll: true }),
    one: async (report) => {
      const all = await call(records.reports, { params }, { patienceMs: deadLineMs })
      return all.find(({ id }) => id === report.id) ?? report
    },
    load: ({ id }) => call(records.reportFile, { params: { id } }, { toastAll: true }),
    fileName: () => `${record.name}.pdf`,
    failure: (failure) => t(`report.failures.${failure}`),
    list: records.reports,
    title: t('report.mailTitle', { name: record.name }),
    downloadTitle: t('report.downloadTitle', { name: record.name }),
  }
  return <ReportMenu kind={kind} subject="record" formats={['pdf']} />
}
