import type { FoundPlace } from '@isotherm/contract/places.ts'
import { Button, Input } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { PinByClick } from './pin-by-click.tsx'
import { PlaceSearch } from './place-search.tsx'
import classes from './places.module.css'

interface Position {
  lat: number
  lon: number
}
interface PlacePickerProps {
  label: string
  /** The name beside the mark. */
  name: string
  position: Position | null
  /** Given the town or address too, where it was found by name; null takes the position away. */
  onChange: (position: Position | null, found?: FoundPlace) => void
}

// Five digits are a metre.
const rounded = ({ lat, lon }: Position): Position => ({ lat: Number(lat.toFixed(5)), lon: Number(lon.toFixed(5)) })

const heightPx = 220

/** A position, found by name or chosen on the map. The map has its room before it is needed, so that nothing moves below it when it is. */
export function PlacePicker({ label, name, position, onChange }: PlacePickerProps) {
  const { t } = useTranslation('places')
  const [isPinning, setPinning] = useState(false)
  return (
    <Input.Wrapper label={label} labelElement="div">
      <PlaceSearch isWide onFound={(place) => onChange(rounded(place), place)} />
      <div className={classes.tools}>
        <Button
          size="sm"
          variant={isPinning ? 'filled' : 'default'}
          leftSection={<IconMapPin size={16} />}
          aria-pressed={isPinning}
          onClick={() => setPinning(!isPinning)}
        >
          {t(isPinning ? 'picker.pinning' : 'picker.pin')}
        </Button>
        {position && !isPinning && (
          <Button size="sm" variant="subtle" onClick={() => onChange(null)}>
            {t('picker.clear')}
          </Button>
        )}
      </div>
      <div className={classes.map} style={{ height: heightPx }}>
        {position || isPinning ? (
          <IsothermMap
            label={label}
            height={heightPx}
            markers={[
              { id: 'place', label: name, state: 'ok', lat: position?.lat ?? null, lon: position?.lon ?? null },
            ]}
            fitTo="markers"
            fitKey={position ? `${position.lat} ${position.lon}` : ''}
            emptyText={t('picker.empty')}
            cooperative
            inert={isPinning}
          >
            <PinByClick
              isOn={isPinning}
              onPin={(place) => {
                onChange(rounded(place))
                setPinning(false)
              }}
            />
          </IsothermMap>
        ) : (
          <p className={classes.blank}>{t('picker.blank')}</p>
        )}
      </div>
    </Input.Wrapper>
  )
}
