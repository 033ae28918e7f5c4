import { type MapOrder, orderTracking } from '@isotherm/contract/order-tracking.ts'
import { Badge, Paper, Skeleton, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { IsothermMap } from '../../../map/isotherm-map.tsx'
import { Age } from '../../../ui/age.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'
import { toneOf } from '../tracking-tones.ts'
import { Arrival } from './arrival.tsx'
import { TemperatureDot } from './temperature-dot.tsx'
import classes from './tracking.module.css'

/** Where the orders under way are: a mark per vehicle. */
export function DispatchMap({ height = 460 }: { height?: number }) {
  const { t } = useTranslation('orderTracking')
  const mapType = useCompany()?.mapType
  const answer = useCall(orderTracking.map, {}, { refetchMs: 30_000 })
  const [selected, setSelected] = useState<string | null>(null)
  const orders = answer.data?.orders
  const byPlace = useMemo(
    () =>
      Map.groupBy(
        (orders ?? []).filter(({ position }) => position),
        // The phone of a driver is that of one order.
        ({ id, placedBy }) => placedBy ?? `phone ${id}`,
      ),
    [orders],
  )
  const markers = useMemo(
    () => [...byPlace].flatMap(([id, [first, ...others]]) => (first ? [markerOf(id, first, others)] : [])),
    [byPlace],
  )
  if (!orders)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={height} radius="sm" />
    )
  const shown = selected === null ? undefined : byPlace.get(selected)
  const unplaced = orders.filter(({ position }) => position === null).length
  const left = (answer.data?.total ?? 0) - orders.length
  return (
    <Paper className={classes.map} component="section" aria-label={t('underWay.title')}>
      <IsothermMap
        label={t('underWay.map')}
        height={height}
        markers={markers}
        fitTo="markers"
        fitKey={markers.length === 0 ? 'none' : 'some'}
        selectedId={selected}
        onSelect={setSelected}
        mapType={mapType}
        emptyText={t(orders.length === 0 ? 'underWay.none' : 'underWay.noPosition')}
        cooperative
      />
      <div className={classes.below}>
        {shown?.map((order) => (
          <Chosen key={order.id} order={order} />
        ))}
        {unplaced > 0 && <p className={frames.note}>{t('underWay.unplaced', { count: unplaced })}</p>}
        {left > 0 && <p className={frames.note}>{t('underWay.more', { count: left })}</p>}
      </div>
    </Paper>
  )
}

const markerOf = (id: string, order: MapOrder, others: readonly MapOrder[]) => ({
  ...{ id, lat: order.position?.lat ?? null, lon: order.position?.lon ?? null },
  ...{ accuracyM: order.position?.accuracyM ?? null, label: order.plate ?? order.trackingCode },
  state: !order.position?.isLive
    ? ('none' as const)
    : [order, ...others].some(({ isLate }) => isLate) && toneOf(order.temperature) === 'ok'
      ? ('warning' as const)
      : toneOf(order.temperature),
  ...(order.temperature ? { value: formatTemperature(order.temperature.valueC) } : {}),
})

function Chosen({ order }: { order: MapOrder }) {
  const { t } = useTranslation('orderTracking')
  const { next, position } = order
  return (
    <div className={classes.chosen}>
      <div className={classes.head}>
        <AnchorLink to="/dispatch/order/$orderId" params={{ orderId: order.id }} underline="always">
          {order.trackingCode}
        </AnchorLink>
        <Text component="span" size="sm">
          {[order.driver, order.plate].filter(Boolean).join(', ')}
        </Text>
        {order.isLate && (
          <Badge size="sm" color="orange" variant="light">
            {t('late')}
          </Badge>
        )}
      </div>
      <TemperatureDot temperature={order.temperature} />
      {next && <Text size="sm">{t('board.next', { name: next.name })}</Text>}
      {next?.eta && <Arrival eta={next.eta} timezone={next.timezone} hasBasis />}
      {position && !position.isLive && (
        <Text size="xs" c="dimmed">
          {t('position.old', { name: order.plate ?? '' })} <Age at={position.at} />
        </Text>
      )}
    </div>
  )
}
