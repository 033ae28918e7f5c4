import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { TrackedStops } from './tracked-stops.tsx'
import { TrackingMap } from './tracking-map.tsx'

/** Where an order is, when it arrives and what its devices measure now. */
export function OrderTracking({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderTracking')
  if (order.startedAt === null)
    return (
      <Paper className={frames.panel}>
        <Empty title={t('cannot.title')} text={t('cannot.text')} />
      </Paper>
    )
  if (order.state === 'inProgress') return <LiveTracking order={order} />
  return (
    <Paper className={frames.panel}>
      <Text size="sm" c="dimmed">
        {t('over')}
      </Text>
    </Paper>
  )
}

function LiveTracking({ order }: { order: OrderDetails }) {
  // Quiet: an order that has just ended refuses this, and the page hears by itself that it ended.
  const answer = useCall(orderTracking.live, { params: { id: order.id } }, { refetchMs: 30_000, isQuiet: true })
  if (!answer.data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={420} radius="sm" />
    )
  return (
    <Stack gap={14}>
      <TrackingMap tracking={answer.data} />
      <TrackedStops tracking={answer.data} />
    </Stack>
  )
}
