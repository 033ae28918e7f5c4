import type { Treatment, TreatmentClock, UnprovenTime } from '@isotherm/contract/cold-treatments.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { named } from '../../../lib/named.ts'
import { formatDuration, formatSpan, formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import classes from './treatment.module.css'
import { VerifyDialog } from './verify-dialog.tsx'

interface Props {
  shipmentId: string
  clock: TreatmentClock
  treatment: Treatment
  nameOf: (id: string) => string
}

/** Time since the start that is not proven, each with a way to tell what an official has verified; and what they have. */
export function GapList({ shipmentId, clock, treatment, nameOf }: Props) {
  const { t } = useTranslation('coldTreatments')
  const mayEdit = useCan('dispatch.addOrEdit')
  const [asked, setAsked] = useState<UnprovenTime | null>(null)
  const { unproven, unprovenCount } = clock
  return (
    <>
      {clock.startedAt && <h3 className={classes.title}>{t('gaps')}</h3>}
      {clock.startedAt && unproven.length === 0 && <p className={frames.note}>{t('noGaps')}</p>}
      <ul className={classes.list}>
        {unproven.map((gap) => (
          <li key={`${gap.deviceId} ${gap.from} ${gap.reason}`} className={classes.item}>
            <span>
              {named(nameOf(gap.deviceId), t(`reasons.${gap.reason}`))}, {spanText(gap, t('goesOn'))}
            </span>
            {mayEdit && gap.reason === 'gap' && (
              <Button variant="subtle" size="compact-sm" onClick={() => setAsked(gap)}>
                {t('verify')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {unprovenCount > unproven.length && (
        <p className={frames.note}>{t('gapCount', { shown: unproven.length, n: unprovenCount })}</p>
      )}
      {treatment.verifiedGaps.length > 0 && (
        <>
          <h3 className={classes.title}>{t('verifiedList')}</h3>
          <ul className={classes.list}>
            {treatment.verifiedGaps.map(({ from, to, by, note, notedAt, notedByName }) => (
              <li key={notedAt}>
                {named(by, note)} ({spanOf(from, to)}, {notedByName}, {formatTime(notedAt)})
              </li>
            ))}
          </ul>
        </>
      )}
      {asked && (
        <VerifyDialog shipmentId={shipmentId} gap={asked} version={treatment.version} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

const spanOf = (from: string, to: string) => {
  const span = formatSpan(from, to)
  return `${span.from} – ${span.to}`
}
const spanText = ({ from, to, isOpen }: UnprovenTime, goesOn: string) => {
  const length = formatDuration(Date.parse(to) - Date.parse(from))
  return isOpen ? `${formatTime(from)} (${length}, ${goesOn})` : `${spanOf(from, to)} (${length})`
}
