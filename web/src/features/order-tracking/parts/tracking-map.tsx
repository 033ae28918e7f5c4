import {
  orderTracking,
  type TrackedDevice,
  type TrackedPosition,
  type Tracking,
} from '@isotherm/contract/order-tracking.ts'
import { Paper, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { IsothermMap } from '../../../map/isotherm-map.tsx'
import { pathOf } from '../../../shared/device-past/path-points.ts'
import { Age } from '../../../ui/age.tsx'
import frames from '../../../ui/frames.module.css'
import { nameOf } from '../device-name.ts'
import { toneOf } from '../tracking-tones.ts'
import classes from './tracking.module.css'

/** The pick-up, the stops, the way so far and where the order is now. */
export function TrackingMap({ tracking }: { tracking: Tracking }) {
  const { t } = useTranslation('orderTracking')
  const mapType = useCompany()?.mapType
  const { devices, placedBy, stops, pickup } = tracking
  const placed = devices.find(({ id }) => id === placedBy)
  const way = useCall(
    orderTracking.historyMapPoints,
    { query: { orderId: tracking.id, deviceId: placed?.id ?? '', points: 1000 } },
    { enabled: placed !== undefined, refetchMs: 60_000 },
  )
  const path = useMemo(() => (way.data?.path ? pathOf(way.data.path) : null), [way.data])
  const markers = useMemo(
    () => [
      { id: 'pickup', lat: pickup.lat, lon: pickup.lon, state: 'none' as const, label: t('pickup') },
      ...stops.map(({ id, sequence, name, stop }) => ({
        ...{ id: `stop ${id}`, lat: stop.lat, lon: stop.lon, state: 'none' as const },
        label: t('stop', { number: sequence, name }),
      })),
      ...(placed ? [vehicleOf(placed, nameOf(placed, t))] : []),
    ],
    [pickup, stops, placed, t],
  )
  return (
    <Paper className={classes.map}>
      <IsothermMap
        label={t('map')}
        height={380}
        markers={markers}
        path={path}
        fitTo="markers"
        fitKey={`${tracking.id} ${placed === undefined}`}
        mapType={mapType}
        cooperative
      />
      <div className={classes.below}>
        <PlaceNow name={placed ? nameOf(placed, t) : ''} position={placed?.position ?? null} />
        {tracking.hiddenDevices > 0 && <p className={frames.note}>{t('hidden', { count: tracking.hiddenDevices })}</p>}
      </div>
    </Paper>
  )
}

const vehicleOf = ({ id, position, temperature }: TrackedDevice, label: string) => ({
  ...{
    id,
    label,
    lat: position?.lat ?? null,
    lon: position?.lon ?? null,
    accuracyM: position?.accuracyM ?? null,
  },
  state: position?.isLive ? toneOf(temperature) : ('none' as const),
  ...(temperature ? { value: formatTemperature(temperature.valueC) } : {}),
})

/** Whether the place is of now, or how old it is. */
function PlaceNow({ name, position }: { name: string; position: TrackedPosition | null }) {
  const { t } = useTranslation('orderTracking')
  if (!position) return <Text size="sm">{t('position.none')}</Text>
  return (
    <Text size="sm">
      {t(position.isLive ? 'position.live' : 'position.old', { name })} <Age at={position.at} />
    </Text>
  )
}
