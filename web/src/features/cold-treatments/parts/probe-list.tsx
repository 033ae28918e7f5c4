import type { TreatmentProbe } from '@isotherm/contract/cold-treatments.ts'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { withUnit } from '../../../lib/numbers.ts'
import classes from './treatment.module.css'

/** The devices in fruit, with what is taken off their readings. */
export function ProbeList({ probes }: { probes: readonly TreatmentProbe[] }) {
  const { t } = useTranslation('coldTreatments')
  return (
    <>
      <h3 className={classes.title}>{t('probes')}</h3>
      <ul className={classes.list}>
        {probes.map(({ id, name, place, offsetC, certificateNo }) => (
          <li key={id}>
            {named(t('place', { number: place.replace('pulp', '') }), name)},{' '}
            {offsetC === null ? t('noCalibration') : t('offset', { offset: withUnit(offsetC, '°C') })}
            {certificateNo && ` (${certificateNo})`}
          </li>
        ))}
      </ul>
    </>
  )
}
