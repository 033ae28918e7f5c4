import { type MapDevice, type MapOrder, orderTracking } from '@isotherm/contract/order-tracking.ts'
import { Paper, Skeleton, Text } from '@mantine/core'
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
import { ToneBadge } from '../../../ui/tone-badge.tsx'
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
  const devices = useMemo(() => new Map(answer.data?.devices.map((one) => [one.id, one])), [answer.data])
  const byPlace = useMemo(
    () => Map.groupBy((orders ?? []).filter(isPlaced), ({ placedBy }) => placedBy ?? ''),
    [orders],
  )
  const markers = useMemo(
    () =>
      [...byPlace].flatMap(([id, [first, ...others]]) => (first ? [markerOf(id, [first, ...others], devices)] : [])),
    [byPlace, devices],
  )
  if (!orders)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={height} radius="sm" />
    )
  const shown = selected === null ? undefined : byPlace.get(selected)
  const unplaced = orders.filter((order) => !isPlaced(order)).length
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
          <Chosen key={order.id} order={order} devices={devices} />
        ))}
        {unplaced > 0 && <p className={frames.note}>{t('underWay.unplaced', { count: unplaced })}</p>}
        {left > 0 && <p className={frames.note}>{t('underWay.more', { count: left })}</p>}
      </div>
    </Paper>
  )
}

type Devices = ReadonlyMap<string, MapDevice>

const isPlaced = ({ placedBy }: MapOrder) => placedBy !== null
const positionOf = ({ placedBy }: MapOrder, devices: Devices) => devices.get(placedBy ?? '')?.position ?? null

const temperatureOf = ({ measuredBy }: MapOrder, devices: Devices) => devices.get(measuredBy ?? '')?.temperature ?? null

/** The mark of a vehicle, by the first of its orders. */
function markerOf(id: string, orders: readonly [MapOrder, ...MapOrder[]], devices: Devices) {
  const [order] = orders
  const position = positionOf(order, devices)
  const temperature = temperatureOf(order, devices)
  const tone = toneOf(temperature)
  const isLate = orders.some((one) => one.isLate)
  return {
    ...{ id, lat: position?.lat ?? null, lon: position?.lon ?? null },
    ...{ accuracyM: position?.accuracyM ?? null, label: order.plate ?? order.trackingCode },
    state: !position?.isLive ? ('none' as const) : isLate && tone === 'ok' ? ('warning' as const) : tone,
    ...(temperature ? { value: formatTemperature(temperature.valueC) } : {}),
  }
}

function Chosen({ order, devices }: { order: MapOrder; devices: Devices }) {
  const { t } = useTranslation('orderTracking')
  const { next } = order
  const position = positionOf(order, devices)
  return (
    <div className={classes.chosen}>
      <div className={classes.head}>
        <AnchorLink to="/dispatch/order/$orderId" params={{ orderId: order.id }}>
          {order.trackingCode}
        </AnchorLink>
        <Text component="span" size="sm">
          {[order.driver, order.plate].filter(Boolean).join(', ')}
        </Text>
        {order.isLate && (
          <ToneBadge size="sm" tone="warning">
            {t('late')}
          </ToneBadge>
        )}
      </div>
      <TemperatureDot temperature={temperatureOf(order, devices)} />
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
