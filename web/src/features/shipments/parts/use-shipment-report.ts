import { type ShipmentReport, type ShipmentReportKind, shipments } from '@isotherm/contract/shipment-calls.ts'
import type { Shipment } from '@isotherm/contract/shipments.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import type { IssuedKind } from '../../../shared/issued/issued-kind.ts'
import { usePrepared } from '../../../shared/issued/use-prepared.ts'

type Reported = Pick<Shipment, 'id' | 'number'>

/** Builds the report of a shipment, mails it, and saves its file; `progress`: null while none is being made. */
export function useShipmentReport(shipment: Reported | null, kind: ShipmentReportKind = 'journey') {
  const { t } = useTranslation('shipments')
  const title = t('report.title.journey', { number: shipment?.number ?? '' })
  const issued: IssuedKind<ShipmentReport> = {
    async order({ locale }) {
      const body = { shipmentId: shipment?.id ?? '', kind, format: 'pdf' as const, locale }
      const report = await call(shipments.downloadReport, { body }, { toastAll: true })
      toastSuccess(t('report.asked'))
      return report
    },
    one: ({ id }) => call(shipments.report, { params: { id } }, { toastAll: true }),
    load: ({ id }) => call(shipments.reportFile, { params: { id } }, { toastAll: true }),
    fileName: () => `${shipment?.number ?? ''}${kind === 'ppecb' ? '-ppecb' : ''}.pdf`,
    failure: () => t('report.failed'),
    list: shipments.reports,
    title,
    downloadTitle: title,
  }
  const { progress, prepare } = usePrepared(issued)
  return { progress, prepare: () => void prepare({ format: 'pdf', contents: [], locale: currentLocale() }) }
}
