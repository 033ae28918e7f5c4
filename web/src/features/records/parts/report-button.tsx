import { type RecordDetails, records } from '@isotherm/contract/records.ts'
import { Button } from '@mantine/core'
import { IconFileDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'

/** Has the record's report built and mailed, after a question; nothing for a role that may not export. */
export function ReportButton({ record }: { record: RecordDetails }) {
  const { t } = useTranslation('records')
  const mayExport = useCan('devices.export')
  const email = useSession((state) => state.profile?.email ?? '')
  if (!mayExport || record.state === 'planned') return null
  const ask = () =>
    confirm({
      title: t('report.confirmTitle', { name: record.name }),
      text: t('report.confirmText', { email }),
      action: t('report.confirmAction'),
      run: async () => {
        await call(records.report, { params: { id: record.id } }, { toastAll: true })
        toastSuccess(t('report.done'))
        await refetchCalls(records.reports)
      },
    })
  return (
    <Button variant="default" leftSection={<IconFileDownload size={16} />} onClick={ask}>
      {t('report.action')}
    </Button>
  )
}
