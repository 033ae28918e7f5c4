import type { Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import { Checkbox, Popover, Tooltip, UnstyledButton } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import map from '../../../map/map.module.css'
import type { Chosen } from '../fence-shapes.ts'
import { Swatch } from './colour-choice.tsx'
import classes from './places.module.css'

export interface ShownLayers {
  geofences: boolean
  points: boolean
}

interface LayerMenuProps {
  label: string
  shown: ShownLayers
  onShown: (shown: ShownLayers) => void
  fences: readonly Geofence[]
  points: readonly PointOfInterest[]
  onChoose: (chosen: Chosen) => void
}

/** Which kinds of places lie over the map, and each of them by name: the way to them without a mouse. */
export function LayerMenu({ label, shown, onShown, fences, points, onChoose }: LayerMenuProps) {
  const { t } = useTranslation('places')
  const [opened, setOpened] = useState(false)
  const choose = (chosen: Chosen) => {
    setOpened(false)
    onChoose(chosen)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="left-start" width={270} shadow="md" trapFocus>
      <Tooltip label={label} position="left">
        <Popover.Target>
          <button
            type="button"
            className={map.button}
            aria-label={label}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconStack2 size={18} stroke={1.7} aria-hidden="true" style={{ fill: 'none' }} />
          </button>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p="xs">
        <div className={classes.menu}>
          <Checkbox
            label={`${t('geofences')} (${fences.length})`}
            checked={shown.geofences}
            onChange={(event) => onShown({ ...shown, geofences: event.currentTarget.checked })}
          />
          {shown.geofences &&
            fences.map((fence) => (
              <UnstyledButton
                key={fence.id}
                className={classes.item}
                onClick={() => choose({ kind: 'geofence', fence })}
              >
                <Swatch colour={fence.colour} />
                <span>{fence.name}</span>
              </UnstyledButton>
            ))}
          <Checkbox
            mt={6}
            label={`${t('points')} (${points.length})`}
            checked={shown.points}
            onChange={(event) => onShown({ ...shown, points: event.currentTarget.checked })}
          />
          {shown.points &&
            points.map((point) => (
              <UnstyledButton key={point.id} className={classes.item} onClick={() => choose({ kind: 'point', point })}>
                <span className={classes.pin} />
                <span>{point.name}</span>
              </UnstyledButton>
            ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
