import type { TileSource } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import { useClickOutside, useWindowEvent } from '@mantine/hooks'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { isSetUp } from './kinds.ts'
import classes from './map.module.css'

const TYPES: readonly MapType[] = ['roadmap', 'satellite', 'terrain', 'hybrid']

type MapTypeMenuProps = { mapType: MapType; online: readonly TileSource[]; onMapType: (mapType: MapType) => void }

/** Chooses the kind of map. The road map is always there: without a source of its own it is the offline map. */
export function MapTypeMenu({ mapType, online, onMapType }: MapTypeMenuProps) {
  const { t } = useTranslation('map')
  const [open, setOpen] = useState(false)
  const isAdmin = useCan('admin')
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
          <path d="M2 4.2L6 2.5L10 4.2L14 2.5V11.8L10 13.5L6 11.8L2 13.5zM6 2.5V11.8M10 4.2V13.5" />
        </svg>
      </button>
      {open && (
        <fieldset id={name} className={classes.menu}>
          <legend>{t('controls.type')}</legend>
          {TYPES.map((type) => {
            const available = isSetUp(type, online)
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
          {isAdmin && TYPES.some((type) => !isSetUp(type, online)) && (
            <small className={classes.setUp}>{t('controls.setUp')}</small>
          )}
        </fieldset>
      )}
    </div>
  )
}
