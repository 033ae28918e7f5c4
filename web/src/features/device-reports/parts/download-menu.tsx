import type { Period } from '@isotherm/contract/common.ts'
import { deviceReports, type ReportFormat } from '@isotherm/contract/device-reports.ts'
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

const formats: ReportFormat[] = ['pdf', 'xlsx', 'csv']

interface DownloadMenuProps {
  device: { id: string; name: string }
  period: Period
  zone: string
}

/** Has the report of the period sent to the person's mail, after a question; nothing for a role that may not export. */
export function DownloadMenu({ device, period, zone }: DownloadMenuProps) {
  const { t } = useTranslation('deviceReports')
  const mayExport = useCan('devices.export')
  const email = useSession((state) => state.profile?.email ?? '')
  if (!mayExport) return null
  const ask = (format: ReportFormat) =>
    confirm({
      title: t('screen.confirmTitle', { device: device.name, format: format.toUpperCase() }),
      text: t('screen.confirmText', { ...formatSpan(period.from, period.to, zone), email }),
      action: t('screen.confirmAction'),
      run: async () => {
        const { from, to } = period
        await call(deviceReports.request, { params: { id: device.id }, body: { from, to, format } }, { toastAll: true })
        toastSuccess(t('screen.done'))
        await refetchCalls(deviceReports.list)
      },
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={14} />}>
          {t('screen.download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => ask(format)}>
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
