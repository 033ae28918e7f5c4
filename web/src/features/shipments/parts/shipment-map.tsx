import { type MapShipment, shipments } from '@isotherm/contract/shipment-calls.ts'
import { Paper, Skeleton, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { IsothermMap } from '../../../map/isotherm-map.tsx'
import { Age } from '../../../ui/age.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'

/** Where the shipments under way are: a mark per shipment, at the newest position of its devices. */
export function ShipmentMap({ height = 360 }: { height?: number }) {
  const { t } = useTranslation('shipments')
  const mapType = useCompany()?.mapType
  const answer = useCall(shipments.map, {}, { refetchMs: 60_000 })
  const [selected, setSelected] = useState<string | null>(null)
  const all = answer.data?.shipments
  const markers = useMemo(
    () =>
      (all ?? [])
        .filter(({ position }) => position)
        .map((one) => ({
          ...markerOf(one),
          label: one.outside ? `${one.number}, ${t(`map.outside.${one.outside}`)}` : one.number,
        })),
    [all, t],
  )
  if (!all)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={height} radius="sm" />
    )
  const shown = all.find(({ id }) => id === selected)
  const unplaced = all.length - markers.length
  return (
    <Paper className={frames.panel} component="section" aria-label={t('map.title')}>
      <IsothermMap
        label={t('map.label')}
        height={height}
        markers={markers}
        fitTo="markers"
        fitKey={markers.length === 0 ? 'none' : 'some'}
        selectedId={selected}
        onSelect={setSelected}
        mapType={mapType}
        emptyText={t(all.length === 0 ? 'map.none' : 'map.noPosition')}
        cooperative
      />
      {shown && <Chosen shipment={shown} />}
      {markers.length > 0 && <p className={frames.note}>{t('map.legend')}</p>}
      {unplaced > 0 && <p className={frames.note}>{t('map.unplaced', { count: unplaced })}</p>}
    </Paper>
  )
}

const marksOutside = { above: 'warm', below: 'cold' } as const
const markerOf = ({ id, position, isLate, outside }: MapShipment) => ({
  ...{ id, lat: position?.lat ?? null, lon: position?.lon ?? null, accuracyM: null },
  state: outside ? marksOutside[outside] : isLate ? ('warning' as const) : ('ok' as const),
  ...(position?.temperatureC != null ? { value: formatTemperature(position.temperatureC) } : {}),
})

function Chosen({
  shipment: { id, number, product, destinationName, eta, etaZone, position, outside },
}: {
  shipment: MapShipment
}) {
  const { t } = useTranslation('shipments')
  return (
    <Text size="sm" mt="xs">
      <AnchorLink to="/export/dispatch/shipment/$shipmentId" params={{ shipmentId: id }}>
        {number}
      </AnchorLink>{' '}
      {[outside && t(`map.outside.${outside}`), product, destinationName, eta && formatTime(eta, etaZone ?? undefined)]
        .filter(Boolean)
        .join(' · ')}{' '}
      {position && <Age at={position.at} />}
    </Text>
  )
}
