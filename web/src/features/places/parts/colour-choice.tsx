import { type FenceColour, fenceColours } from '@isotherm/contract/places.ts'
import { useTranslation } from 'react-i18next'
import { fenceHex } from '../fence-palette.ts'
import classes from './places.module.css'

/** The five colours a fence may have, each with its word. */
export function ColourChoice({ value, onChange }: { value: FenceColour; onChange: (colour: FenceColour) => void }) {
  const { t } = useTranslation('places')
  return (
    <fieldset className={classes.colours}>
      <legend>{t('fields.colour')}</legend>
      {fenceColours.map((colour) => (
        <label key={colour} className={classes.colour}>
          <input type="radio" name="colour" checked={colour === value} onChange={() => onChange(colour)} />
          <Swatch colour={colour} />
          {t(`colours.${colour}`)}
        </label>
      ))}
    </fieldset>
  )
}

export const Swatch = ({ colour }: { colour: FenceColour }) => (
  <span className={classes.swatch} style={{ background: fenceHex[colour] }} aria-hidden="true" />
)
