import type { TreatmentClock } from '@isotherm/contract/cold-treatments.ts'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../lib/times.ts'
import classes from './ring.module.css'

const radius = 52
const around = 2 * Math.PI * radius

/** How much of the time that is needed is proven, as a ring. */
export function ProvenRing({ clock: { provenMs, requiredMs } }: { clock: TreatmentClock }) {
  const { t } = useTranslation('coldTreatments')
  const share = requiredMs > 0 ? Math.min(1, provenMs / requiredMs) : 0
  const [proven, needed] = [formatDuration(provenMs), t('ofNeeded', { time: formatDuration(requiredMs) })]
  return (
    <div
      className={classes.ring}
      role="progressbar"
      aria-label={t('proven')}
      aria-valuenow={Math.floor(100 * share)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${proven} ${needed}`}
    >
      <svg viewBox="0 0 120 120" aria-hidden>
        <circle className={classes.needed} cx="60" cy="60" r={radius} />
        <circle
          className={classes.proven}
          cx="60"
          cy="60"
          r={radius}
          strokeDasharray={`${share * around} ${around}`}
          transform="rotate(-90 60 60)"
        />
      </svg>
      <span className={classes.text}>
        <strong>{proven}</strong>
        <span>{needed}</span>
      </span>
    </div>
  )
}
