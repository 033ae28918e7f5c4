import type { Period } from '@isotherm/contract/common.ts'
import { reportFormats } from '@isotherm/contract/device-reports.ts'
import { type GroupReport, groupReports } from '@isotherm/contract/group-reports.ts'
import { useTranslation } from 'react-i18next'
import { call, deadLineMs } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import type { IssuedKind } from '../../../shared/issued/issued-kind.ts'
import { ReportMenu } from '../../../shared/issued/report-menu.tsx'
import { fileNameOf } from '../file-name.ts'

interface GroupReportMenuProps {
  group: { id: string; name: string }
  period: Period
}

/** Saves or mails the report of the period; nothing for a role that may not export. */
export function GroupReportMenu({ group, period }: GroupReportMenuProps) {
  const { t } = useTranslation('groupReports')
  const mayExport = useCan(groupReports.requestReport)
  if (!mayExport) return null
  const { from, to } = period
  const kind: IssuedKind<GroupReport> = {
    order: (choice, recipients) =>
      call(
        groupReports.requestReport,
        { body: { groupId: group.id, from, to, ...choice, recipients } },
        { toastAll: true },
      ),
    one: ({ id }) => call(groupReports.report, { params: { id } }, { patienceMs: deadLineMs }),
    load: ({ id }) => call(groupReports.reportFile, { params: { id } }, { toastAll: true }),
    fileName: fileNameOf,
    failure: (failure) => t(`failures.${failure}`),
    list: groupReports.reports,
    title: t('mailTitle', { group: group.name }),
    downloadTitle: t('downloadTitle', { group: group.name }),
  }
  return <ReportMenu kind={kind} subject="group" formats={reportFormats} />
}
