import { shipmentUploads } from '@isotherm/contract/bulk-uploads.ts'
import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DevicesByStatus } from '../../features/shipments/parts/devices-by-status.tsx'
import { ReportButton } from '../../features/shipments/parts/report-button.tsx'
import { ShipmentList, useShipmentList } from '../../features/shipments/parts/shipment-list.tsx'
import { ShipmentMap } from '../../features/shipments/parts/shipment-map.tsx'
import { ShipmentSummary } from '../../features/shipments/parts/shipment-summary.tsx'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { refetchCalls } from '../../lib/query.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { ExportTabs } from '../../ui/export-tabs.tsx'
import frames from '../../ui/frames.module.css'
import { ExportButton } from '../../ui/list/export-button.tsx'
import { useSelection } from '../../ui/list/use-selection.ts'
import { Page } from '../../ui/page.tsx'
import { useBegin } from '../../ui/use-begin.ts'

const UploadDialog = lazy(async () => ({
  default: (await import('../../features/bulk-uploads/parts/upload-dialog.tsx')).UploadDialog,
}))

/** The shipments of the company, where those under way are, and their devices by status. */
export function ShipmentsPage() {
  const { t } = useTranslation('shipments')
  const { t: ofDevices } = useTranslation('devices')
  const navigate = useNavigate()
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const { params, answer } = useShipmentList()
  const selection = useSelection()
  const [isUploading, setUploading] = useState(false)
  const begin = () => void navigate({ to: '/export/dispatch/add-shipment', search: {} })
  useBegin(mayEdit && begin)
  const add = mayEdit && <AddButton onClick={begin}>{t('add')}</AddButton>
  const { page: _page, perPage: _perPage, ...chosen } = params.asked
  const rows = answer.data?.data ?? []
  const ticked = selection.ids.size
  const selected = ticked === 1 ? (rows.find(({ id }) => selection.has(id)) ?? null) : null
  const actions = (
    <>
      <ReportButton shipment={selected} ticked={ticked} label={t('report.action')} />
      {mayExport && (
        <ExportButton
          fileName="shipments.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(shipments.exportCsv, { query: chosen }, { toastAll: true })}
        />
      )}
      {mayEdit && (
        <Button variant="default" leftSection={<IconFileUpload size={16} />} onClick={() => setUploading(true)}>
          {t('upload.action')}
        </Button>
      )}
      {add}
    </>
  )
  return (
    <Page title={t('title')} actions={actions} tabs={<ExportTabs />}>
      <ShipmentSummary params={params} />
      <div className={frames.stack}>
        <ShipmentList
          params={params}
          answer={answer}
          selection={mayExport ? selection : undefined}
          onOpen={({ id }) =>
            void navigate({ to: '/export/dispatch/shipment/$shipmentId', params: { shipmentId: id }, search: {} })
          }
          add={add}
        />
        <ShipmentMap />
        <DevicesByStatus
          search={params.asked.search}
          filter={params.asked.filter}
          attention={params.asked.attention}
          nameOf={(status) => ofDevices(`state.${status}` as 'state.live')}
        />
      </div>
      {isUploading && (
        <Suspense fallback={null}>
          <UploadDialog
            title={t('upload.title')}
            calls={shipmentUploads}
            name="shipments"
            onStored={() =>
              void refetchCalls(shipments.list, shipments.summary, shipments.map, shipments.devicesByStatus)
            }
            onClose={() => setUploading(false)}
          />
        </Suspense>
      )}
    </Page>
  )
}
