import type { Order } from '@isotherm/contract/orders.ts'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../lib/money.ts'
import { formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import type { Column } from '../../../ui/list/column.ts'
import { Unbroken, WithUnbroken } from '../../../ui/unbroken.tsx'
import { OrderCondition, OrderStateBadge } from './order-state.tsx'

export function useOrderColumns(): Column<Order>[] {
  const { t } = useTranslation('orders')
  return [
    {
      key: 'code',
      title: t('columns.code'),
      sort: 'createdAt',
      render: ({ trackingCode, reference }) => (
        <>
          <Unbroken isName text={trackingCode} />
          {reference && (
            <div className={frames.note}>
              <Unbroken text={reference} />
            </div>
          )}
        </>
      ),
    },
    { key: 'state', title: t('columns.state'), render: (order) => <OrderStateBadge order={order} /> },
    {
      key: 'sender',
      title: t('columns.sender'),
      sort: 'sender',
      hideBelow: 1100,
      render: ({ senderName, pickupAddress }) => (
        <>
          {senderName}
          <div className={frames.note}>{pickupAddress}</div>
        </>
      ),
    },
    {
      key: 'receivers',
      title: t('columns.receivers'),
      render: ({ receivers: { first, total, settled }, state }) => (
        <>
          {first} {total > 1 && t('more', { count: total - 1 })}
          {settled > 0 && state !== 'cancelled' && <div className={frames.note}>{t('stops', { settled, total })}</div>}
        </>
      ),
    },
    {
      key: 'deliverBy',
      title: t('columns.deliverBy'),
      sort: 'deliverBy',
      render: ({ deliverBy, timezone }) => formatTime(deliverBy, timezone),
    },
    {
      key: 'driver',
      title: t('columns.driver'),
      hideBelow: 820,
      render: ({ driver, vehicle }) => (
        <>
          {driver ? driver.name : <span className={frames.note}>{t('noDriver')}</span>}
          {driver && !driver.isActive && ` (${t('inactive')})`}
          {vehicle && (
            <div className={frames.note}>
              <WithUnbroken text={`${vehicle.name}, ${vehicle.plate}`} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'condition',
      title: t('columns.condition'),
      isEmpty: ({ verdict }) => verdict === null,
      render: ({ verdict }) => <OrderCondition verdict={verdict} />,
    },
    {
      key: 'total',
      title: t('columns.total'),
      align: 'right',
      hideBelow: 1100,
      isEmpty: ({ total, currency }) => total === null || currency === null,
      render: ({ total, currency }) => (total === null || currency === null ? '–' : formatMoney(total, currency)),
    },
  ]
}
