import type { ShipmentReportKind } from '@isotherm/contract/shipment-calls.ts'
import type { Shipment } from '@isotherm/contract/shipments.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { toastError } from '../../../lib/toast.ts'
import { useShipmentReport } from './use-shipment-report.ts'

interface ReportButtonProps {
  /** Null: none is selected. */
  shipment: Pick<Shipment, 'id' | 'number'> | null
  kind?: ShipmentReportKind
  label: string
}

/** Downloads the report of a shipment, which comes by mail, too; with none selected it says so. */
export function ReportButton({ shipment, kind = 'journey', label }: ReportButtonProps) {
  const { t } = useTranslation('shipments')
  const mayExport = useCan('dispatch.export')
  const { progress, prepare } = useShipmentReport(shipment, kind)
  if (!mayExport) return null
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={progress !== null}
      onClick={() => (shipment ? prepare() : toastError(t('report.notSelected')))}
    >
      {label}
    </Button>
  )
}
