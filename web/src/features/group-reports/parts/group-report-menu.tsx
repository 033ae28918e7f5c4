import type { Period } from '@isotherm/contract/common.ts'
import { reportFormats } from '@isotherm/contract/device-reports.ts'
import { groupReports } from '@isotherm/contract/group-reports.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { formatSpan } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'

interface GroupReportMenuProps {
  group: { id: string; name: string }
  period: Period
  zone: string
}

/** Has the report of the period sent to the person's mail, after a question; nothing for a role that may not export. */
export function GroupReportMenu({ group, period, zone }: GroupReportMenuProps) {
  const { t } = useTranslation('groupReports')
  const mayExport = useCan('groups.export')
  const email = useSession((state) => state.profile?.email ?? '')
  if (!mayExport) return null
  const ask = (format: (typeof reportFormats)[number]) =>
    confirm({
      title: t('confirmTitle', { group: group.name, format: format.toUpperCase() }),
      text: t('confirmText', { ...formatSpan(period.from, period.to, zone), email }),
      action: t('confirmAction'),
      run: async () => {
        const { from, to } = period
        await call(groupReports.requestReport, { body: { groupId: group.id, from, to, format } }, { toastAll: true })
        toastSuccess(t('done'))
        await refetchCalls(groupReports.reports)
      },
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={14} />}>
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reportFormats.map((format) => (
          <Menu.Item key={format} onClick={() => ask(format)}>
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
