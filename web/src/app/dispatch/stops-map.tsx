import { useTranslation } from 'react-i18next'
import type { OrderValues } from '../../features/orders/order-values.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { PinByClick } from '../../shared/places/pin-by-click.tsx'

interface StopsMapProps {
  values: OrderValues
  height: number | string
  /** The next click is the place of a stop. */
  isPinning: boolean
  onPin: (place: { lat: number; lon: number }) => void
}

/** The pick-up and the drop-offs of a form; a click may choose one. */
export function StopsMap({ values, height, isPinning, onPin }: StopsMapProps) {
  const { t } = useTranslation('orders')
  const markers = [
    { id: 'pickup', stop: values.pickup, label: values.sender.name || t('form.sender') },
    ...values.receivers.map(({ stop, name }, index) => ({
      ...{ id: `receivers.${index}.stop`, stop, label: name || t('form.receiver', { number: index + 1 }) },
    })),
  ].map(({ id, stop, label }) => ({
    ...{ id, label, lat: stop.lat, lon: stop.lon },
    state: id === 'pickup' ? ('none' as const) : ('ok' as const),
  }))
  const placed = markers.filter(({ lat }) => lat !== null)
  return (
    <IsothermMap
      label={t('form.map')}
      height={height}
      markers={markers}
      fitTo="markers"
      fitKey={placed.map(({ lat, lon }) => `${lat} ${lon}`).join()}
      emptyText={t('form.unplaced')}
      cooperative
      inert={isPinning}
    >
      <PinByClick isOn={isPinning} onPin={onPin} />
    </IsothermMap>
  )
}
