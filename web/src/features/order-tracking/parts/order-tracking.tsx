import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { OrderPast } from './order-past.tsx'
import { TrackedStops } from './tracked-stops.tsx'
import { TrackingMap } from './tracking-map.tsx'

/** Where an order is, when it arrives and what its devices measure; of one that is over, how it was. */
export function OrderTracking({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderTracking')
  if (order.startedAt === null)
    return (
      <Paper className={frames.panel}>
        <Empty title={t('cannot.title')} text={t('cannot.text')} />
      </Paper>
    )
  return (
    <Stack gap={14}>
      {order.state === 'inProgress' ? (
        <LiveTracking order={order} />
      ) : (
        <Paper className={frames.panel}>
          <Text size="sm" c="dimmed">
            {t('over')}
          </Text>
        </Paper>
      )}
      <OrderPast key={order.id} order={order} />
    </Stack>
  )
}

function LiveTracking({ order }: { order: OrderDetails }) {
  const answer = useCall(orderTracking.live, { params: { id: order.id } }, { refetchMs: 30_000 })
  if (!answer.data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={420} radius="sm" />
    )
  return (
    <>
      <TrackingMap tracking={answer.data} />
      <TrackedStops tracking={answer.data} />
    </>
  )
}
