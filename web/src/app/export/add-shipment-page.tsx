import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Draft, ReadEpcis } from '../../features/epcis/parts/read-epcis.tsx'
import {
  emptyShipment,
  type ShipmentValues,
  valuesOfDocument,
  valuesOfShipment,
} from '../../features/shipments/shipment-values.ts'
import { useCall } from '../../lib/query.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { Page } from '../../ui/page.tsx'
import { ShipmentForm } from './shipment-form.tsx'

/** One page to make a shipment, or to change one that is not over. */
export function AddShipmentPage() {
  const { t } = useTranslation('shipments')
  const navigate = useNavigate()
  const { search } = useUrlSearch()
  const { edit } = search
  const answer = useCall(shipments.one, { params: { id: edit ?? '' } }, { enabled: Boolean(edit), staleTimeMs: 0 })
  // The form keeps the shipment with which it began: one that is fetched again later must not undo what was typed.
  const fresh = edit && !answer.isFetching ? answer.data : undefined
  const [begun, setBegun] = useState(fresh)
  if (fresh && fresh.id !== begun?.id) setBegun(fresh)
  const shipment = begun?.id === edit ? begun : undefined
  /** The values of the document that was taken over last, and how many were. */
  const [read, setRead] = useState<{ count: number; draft: Draft; values: ShipmentValues } | null>(null)
  const isReady = !edit || shipment
  return (
    <Page
      title={shipment ? t('edit', { number: shipment.number }) : t('add')}
      breadcrumb={<Link to="/export/dispatch">{t('title')}</Link>}
    >
      <div className={frames.stack}>
        {edit && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!isReady && !answer.error && <Skeleton height={420} radius="md" />}
        {!edit && (
          <ReadEpcis
            onDraft={(draft) => setRead({ count: (read?.count ?? 0) + 1, draft, values: valuesOfDocument(draft) })}
          />
        )}
        {isReady && (
          <ShipmentForm
            key={edit ?? `new ${read?.count ?? 0}`}
            start={shipment ? valuesOfShipment(shipment) : (read?.values ?? emptyShipment())}
            shipment={shipment ?? null}
            ends={shipment ?? read?.draft ?? null}
            onSaved={({ id }) =>
              void navigate({ to: '/export/dispatch/shipment/$shipmentId', params: { shipmentId: id }, search: {} })
            }
          />
        )}
      </div>
    </Page>
  )
}
