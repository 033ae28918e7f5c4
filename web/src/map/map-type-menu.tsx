import type { TileSource } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './map.module.css'
import { sourceFor } from './map-style.ts'

const TYPES: readonly MapType[] = ['roadmap', 'satellite', 'terrain', 'hybrid']

type MapTypeMenuProps = { mapType: MapType; online: readonly TileSource[]; onMapType: (mapType: MapType) => void }

/** Chooses the kind of map. The road map is always there: without a source of its own it is the offline map. */
export function MapTypeMenu({ mapType, online, onMapType }: MapTypeMenuProps) {
  const { t } = useTranslation('map')
  const [open, setOpen] = useState(false)
  const menu = useClickOutside(() => setOpen(false))
  const name = useId()
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') setOpen(false)
  })
  return (
    <div ref={menu} className={classes.types}>
      <button
        type="button"
        className={classes.button}
        aria-expanded={open}
        aria-controls={name}
        aria-label={t('controls.type')}
        title={t('controls.type')}
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2L14 5.2L8 8.4L2 5.2zM2.6 8.2L8 11.1L13.4 8.2M2.6 11L8 13.9L13.4 11" />
        </svg>
      </button>
      {open && (
        <fieldset id={name} className={classes.menu}>
          <legend>{t('controls.type')}</legend>
          {TYPES.map((type) => {
            const available = type === 'roadmap' || sourceFor(type, online) !== undefined
            return (
              <label key={type} className={classes.option}>
                <input
                  type="radio"
                  name={name}
                  checked={type === mapType}
                  disabled={!available}
                  onChange={() => onMapType(type)}
                />
                <span>
                  {t(`types.${type}`)}
                  {!available && <small>{t('controls.notConfigured')}</small>}
                </span>
              </label>
            )
          })}
        </fieldset>
      )}
    </div>
  )
}
