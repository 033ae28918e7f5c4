import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { emptyShipment, valuesOfShipment } from '../../features/shipments/shipment-values.ts'
import { useCall } from '../../lib/query.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { ShipmentForm } from './shipment-form.tsx'

/** One page to make a shipment, or to change one that is not over. */
export function AddShipmentPage() {
  const { t } = useTranslation('shipments')
  const navigate = useNavigate()
  const { search } = useUrlSearch()
  const { edit } = search
  const answer = useCall(shipments.one, { params: { id: edit ?? '' } }, { enabled: Boolean(edit), staleTimeMs: 0 })
  const shipment = edit ? answer.data : undefined
  const isReady = !edit || (shipment && !answer.isFetching)
  return (
    <Page
      title={shipment ? t('edit', { number: shipment.number }) : t('add')}
      breadcrumb={<Link to="/export/dispatch">{t('title')}</Link>}
    >
      {edit && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!isReady && !answer.error && <Skeleton height={420} radius="md" />}
      {isReady && (
        <ShipmentForm
          key={edit ?? 'new'}
          start={shipment ? valuesOfShipment(shipment) : emptyShipment()}
          shipment={shipment ?? null}
          onSaved={({ id }) =>
            void navigate({ to: '/export/dispatch/shipment/$shipmentId', params: { shipmentId: id }, search: {} })
          }
        />
      )}
    </Page>
  )
}
