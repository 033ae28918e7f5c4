import { OrderQuery, orders } from '@isotherm/contract/order-calls.ts'
import { type Order, OrderFilter, orderAttentions } from '@isotherm/contract/orders.ts'
import { IconCopy, IconPencil, IconTemplate } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { type ListParams, useListParams } from '../../../ui/list/use-list-params.ts'
import { useOrderColumns } from './use-order-columns.tsx'

const filters = { filter: OrderFilter.options, attention: orderAttentions }

/** The orders that the address asks for. */
export function useOrderList() {
  const params = useListParams({ sort: OrderQuery.shape.sort, filters })
  const answer = useCall(orders.list, { query: params.asked }, { keepPrevious: true, refetchMs: 30_000 })
  return { params, answer }
}

interface OrderListProps {
  params: ListParams
  answer: ReturnType<typeof useOrderList>['answer']
  onOpen: (order: Order) => void
  onEdit: (order: Order) => void
  onRepeat: (order: Order) => void
  onTemplate: (order: Order) => void
  /** Start, end, cancel: of another feature. */
  moreActions?: ((order: Order) => RowAction[]) | undefined
  add: ReactNode
}

export function OrderList({ params, answer, add, ...props }: OrderListProps) {
  const { t } = useTranslation('orders')
  const mayEdit = useCan('dispatch.addOrEdit')
  const actionsOf = (order: Order): RowAction[] => [
    ...(props.moreActions?.(order) ?? []),
    ...(order.state === 'new'
      ? [{ label: t('actions.edit'), icon: <IconPencil size={16} />, onClick: () => props.onEdit(order) }]
      : []),
    { label: t('actions.repeat'), icon: <IconCopy size={16} />, onClick: () => props.onRepeat(order) },
    { label: t('actions.template'), icon: <IconTemplate size={16} />, onClick: () => props.onTemplate(order) },
  ]
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
          options: OrderFilter.options.map((value) => ({ value, label: t(`state.${value}`) })),
        },
      ]}
      columns={useOrderColumns()}
      rowId={(order) => order.id}
      rowName={(order) => order.trackingCode}
      onOpen={props.onOpen}
      actions={mayEdit ? actionsOf : undefined}
      empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
    />
  )
}
