import { type ShipmentReport, type ShipmentReportKind, shipments } from '@isotherm/contract/shipment-calls.ts'
import type { Shipment } from '@isotherm/contract/shipments.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call, deadLineMs } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { toastError } from '../../../lib/toast.ts'
import type { IssuedKind } from '../../../shared/issued/issued-kind.ts'
import { ReportMenu } from '../../../shared/issued/report-menu.tsx'

type Reported = Pick<Shipment, 'id' | 'number'>

interface ReportButtonProps {
  /** Null: not one alone is selected. */
  shipment: Reported | null
  /** How many are selected, on other pages, too. */
  ticked?: number
  kind?: ShipmentReportKind
  label: string
}

/** Saves or mails a report of a shipment; with none or several selected it says so. Nothing for a role that may not export. */
export function ReportButton({ shipment, ticked = 0, kind = 'journey', label }: ReportButtonProps) {
  const { t } = useTranslation('shipments')
  const mayExport = useCan(shipments.downloadReport)
  const issued = useIssued(shipment ?? { id: '', number: '' }, kind)
  if (!mayExport) return null
  if (shipment) return <ReportMenu kind={issued} subject="shipment" formats={['pdf']} label={label} />
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      onClick={() => toastError(t(ticked === 0 ? 'report.notSelected' : 'report.selectOne'))}
    >
      {label}
    </Button>
  )
}

function useIssued({ id: shipmentId, number }: Reported, kind: ShipmentReportKind): IssuedKind<ShipmentReport> {
  const { t } = useTranslation('shipments')
  return {
    order: ({ locale }, recipients) =>
      call(shipments.downloadReport, { body: { shipmentId, kind, locale, recipients } }, { toastAll: true }),
    one: ({ id }) => call(shipments.report, { params: { id } }, { patienceMs: deadLineMs }),
    load: ({ id }) => call(shipments.reportFile, { params: { id } }, { toastAll: true }),
    fileName: () => `${number}${kind === 'ppecb' ? '-ppecb' : ''}.pdf`,
    failure: () => t('report.failed'),
    list: shipments.reports,
    title: t('report.mailTitle', { number }),
    downloadTitle: t('report.downloadTitle', { number }),
  }
}
