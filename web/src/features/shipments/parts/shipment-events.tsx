import type { ShipmentDetails, ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { wasHeardLate } from '../journey-line.ts'
import { keptReasonOf, useWithdrawnWords } from '../use-withdrawn-words.ts'
import classes from './shipments.module.css'

/** All that happened to a shipment, in its order, with when it was heard of where that was later. */
export function ShipmentEvents({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const withdrawnWords = useWithdrawnWords()
  const keptWords = (event: ShipmentEvent) => {
    const reason = keptReasonOf(event)
    return reason && t(`events.kept.${reason}`)
  }
  return (
    <Panel title={t('events.title')}>
      <ul className={`${classes.milestones} ${classes.events}`}>
        {shipment.events.map((event) => (
          <li key={event.id} data-corrected={event.isCorrected || undefined}>
            <strong>{t(`event.${event.kind}`)}</strong>
            <time dateTime={event.occurredAt}>{formatTime(event.occurredAt, event.timezone)}</time>
            <span className={frames.note}>
              {[
                event.placeName,
                event.deviceName,
                event.byName ?? t(`source.${event.source}`),
                typeof event.detail.title === 'string' && event.detail.title,
                typeof event.detail.note === 'string' && event.detail.note,
                wasHeardLate(event) && t('events.heard', { time: formatTime(event.recordedAt) }),
                typeof event.detail.reason === 'string' && event.detail.reason,
                keptWords(event),
                event.withdrawn ? withdrawnWords(event) : event.isCorrected && t('events.corrected'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
