import { ShipmentQuery, shipments } from '@isotherm/contract/shipment-calls.ts'
import { type Shipment, shipmentAttentions, shipmentStates } from '@isotherm/contract/shipments.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { type ListParams, useListParams } from '../../../ui/list/use-list-params.ts'
import type { Selection } from '../../../ui/list/use-selection.ts'
import { useShipmentColumns } from './use-shipment-columns.tsx'

const filters = { filter: shipmentStates, attention: shipmentAttentions }

/** The shipments that the address asks for. */
export function useShipmentList() {
  const params = useListParams({ sort: ShipmentQuery.shape.sort, filters })
  const answer = useCall(shipments.list, { query: params.asked }, { keepPrevious: true, refetchMs: 60_000 })
  return { params, answer }
}

interface ShipmentListProps {
  params: ListParams
  answer: ReturnType<typeof useShipmentList>['answer']
  selection?: Selection | undefined
  onOpen: (shipment: Shipment) => void
  add: ReactNode
}

export function ShipmentList({ params, answer, selection, onOpen, add }: ShipmentListProps) {
  const { t } = useTranslation('shipments')
  const mayEdit = useCan('dispatch.addOrEdit')
  const attention = shipmentAttentions.find((one) => one === params.filters.attention)
  return (
    <ListView
      label={t('list')}
      answer={answer}
      params={params}
      searchLabel={t('search')}
      filters={[
        {
          name: 'filter',
          label: t('state.label'),
          allLabel: t('state.all'),
          options: shipmentStates.map((value) => ({ value, label: t(`state.${value}`) })),
        },
        // The summary above the list offers them all: here is what is chosen, and "All", which takes it away.
        ...(attention
          ? [
              {
                name: 'attention',
                label: t('attention.label'),
                allLabel: t('attention.all'),
                options: [{ value: attention, label: t(`summary.${attention}`) }],
              },
            ]
          : []),
      ]}
      columns={useShipmentColumns()}
      rowId={({ id }) => id}
      rowName={({ number }) => number}
      onOpen={onOpen}
      selection={selection}
      empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
    />
  )
}
