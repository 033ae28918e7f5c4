import type { Period } from '@isotherm/contract/common.ts'
import { type DeviceReport, deviceReports, reportFormats } from '@isotherm/contract/device-reports.ts'
import { useTranslation } from 'react-i18next'
import { call, deadLineMs } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import type { IssuedKind } from '../../../shared/issued/issued-kind.ts'
import { ReportMenu } from '../../../shared/issued/report-menu.tsx'

interface DownloadMenuProps {
  device: { id: string; name: string }
  period: Period
}

/** Saves or mails the report of the period; nothing for a role that may not export. */
export function DownloadMenu({ device, period }: DownloadMenuProps) {
  const { t } = useTranslation('deviceReports')
  const mayExport = useCan(deviceReports.request)
  if (!mayExport) return null
  const { from, to } = period
  const kind: IssuedKind<DeviceReport> = {
    order: (choice, recipients) =>
      call(
        deviceReports.request,
        { params: { id: device.id }, body: { from, to, ...choice, recipients } },
        { toastAll: true },
      ),
    one: ({ id }) => call(deviceReports.one, { params: { id } }, { patienceMs: deadLineMs }),
    load: ({ id }) => call(deviceReports.download, { params: { id } }, { toastAll: true }),
    fileName: ({ deviceName, format }) => `${deviceName}.${format}`,
    failure: (failure) => t(`issues.failures.${failure}`),
    list: deviceReports.list,
    title: t('screen.mailTitle', { device: device.name }),
    downloadTitle: t('screen.downloadTitle', { device: device.name }),
  }
  return <ReportMenu kind={kind} subject="device" formats={reportFormats} isPrimary />
}
