import type { Position } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { Age } from '../../../ui/age.tsx'
import { Value } from '../../../ui/value.tsx'
import classes from './devices.module.css'

export const placeText = ({ placeName, lat, lon }: Pick<Position, 'placeName' | 'lat' | 'lon'>): string =>
  placeName ?? `${formatNumber(lat, 3)}, ${formatNumber(lon, 3)}`

/** Where it was last, and how old that fix is. */
export function Place({ position }: { position: Position | null }) {
  const { t } = useTranslation('devices')
  if (!position) return <Value value={null} unit="" reason={t('noValue.noPosition')} />
  return (
    <span className={classes.place}>
      <span>{placeText(position)}</span>
      <span className={classes.small}>
        <Age at={position.at} />
      </span>
    </span>
  )
}
