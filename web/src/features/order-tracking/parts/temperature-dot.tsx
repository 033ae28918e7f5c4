import type { TrackedTemperature } from '@isotherm/contract/order-tracking.ts'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { Age } from '../../../ui/age.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { toneOf } from '../tracking-tones.ts'
import classes from './tracking.module.css'

/** A temperature with its state in a mark and a word, and its age where it is old. */
export function TemperatureDot({ temperature }: { temperature: TrackedTemperature | null }) {
  const { t } = useTranslation('orderTracking')
  if (!temperature) return <StateDot tone="none" hollow label={t('temperature.none')} />
  const word = temperature.isLive ? t(`temperature.${temperature.judgement ?? 'noLimits'}`) : t('temperature.old')
  return (
    <span className={classes.temperature}>
      <StateDot tone={toneOf(temperature)} label={`${formatTemperature(temperature.valueC)}, ${word}`} />
      {!temperature.isLive && <Age at={temperature.at} />}
    </span>
  )
}
