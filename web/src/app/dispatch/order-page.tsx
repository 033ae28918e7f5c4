import { orders } from '@isotherm/contract/order-calls.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OrderInsurance } from '../../features/insurances/parts/order-insurance.tsx'
import { OrderEvidence } from '../../features/order-evidence/parts/order-evidence.tsx'
import { OrderActs } from '../../features/order-life/parts/order-acts.tsx'
import { OrderFacts } from '../../features/order-life/parts/order-facts.tsx'
import { OrderStops } from '../../features/order-life/parts/order-stops.tsx'
import { OrderTimeline } from '../../features/order-life/parts/order-timeline.tsx'
import { OrderWarnings } from '../../features/order-life/parts/order-warnings.tsx'
import { OrderConditions } from '../../features/order-links/parts/order-conditions.tsx'
import { OrderHandovers } from '../../features/order-links/parts/order-handovers.tsx'
import { OrderLinks } from '../../features/order-links/parts/order-links.tsx'
import { OrderPast } from '../../features/order-tracking/parts/order-past.tsx'
import { OrderTracking } from '../../features/order-tracking/parts/order-tracking.tsx'
import { OrderCondition, OrderStateBadge } from '../../features/orders/parts/order-state.tsx'
import { OrderPrice } from '../../features/orders/parts/price-panel.tsx'
import { useCan } from '../../lib/can.ts'
import { useEntity } from '../../lib/use-entity.ts'
import { EntityPage } from '../../ui/entity-page.tsx'
import frames from '../../ui/frames.module.css'
import { OrderDownload } from './order-download.tsx'
import classes from './order-page.module.css'

/** One order: what is next, its stops, what happened, and what other features know of it. */
export function OrderPage() {
  const { t } = useTranslation('orderLife')
  const mayExport = useCan('devices.export')
  const answer = useEntity(orders.one, { id: 'orderId' })
  return (
    <EntityPage
      answer={answer}
      title={answer.entity?.trackingCode ?? t('title')}
      breadcrumb={<Link to="/dispatch">{t('breadcrumb')}</Link>}
      actions={(order) => (
        <>
          {mayExport && order.recordId !== null && <OrderDownload recordId={order.recordId} />}
          <OrderActs order={order} />
        </>
      )}
    >
      {(order) => (
        <div className={classes.columns}>
          <div className={frames.stack}>
            <OrderFacts
              order={order}
              state={<OrderStateBadge order={order} />}
              condition={<OrderCondition verdict={order.verdict} />}
            />
            {order.startedAt && <OrderWarnings orderId={order.id} />}
            <OrderStops order={order} />
            <OrderTimeline orderId={order.id} />
            {order.startedAt && <OrderEvidence order={order} />}
          </div>
          <div className={frames.stack}>
            <OrderTracking order={order} />
            {order.startedAt && <OrderConditions order={order} />}
            {order.startedAt && <OrderHandovers order={order} />}
            <OrderPrice price={order.price} />
            <OrderInsurance order={order} />
            <OrderLinks order={order} />
          </div>
          {order.startedAt && (
            <div className={classes.whole}>
              <OrderPast key={order.id} order={order} />
            </div>
          )}
        </div>
      )}
    </EntityPage>
  )
}
