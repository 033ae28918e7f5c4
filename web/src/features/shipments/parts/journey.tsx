import { expectedArrival } from '@isotherm/contract/shipment-calls.ts'
import {
  milestoneKinds,
  type ShipmentDetails,
  type ShipmentEvent,
  type ShipmentLeg,
} from '@isotherm/contract/shipments.ts'
import { Button, Group } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useNow } from '../../../lib/now.ts'
import { formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { showAwb } from '../shipment-values.ts'
import { MilestoneDialog } from './milestone-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import classes from './shipments.module.css'

const isMilestone = ({ kind }: ShipmentEvent) => (milestoneKinds as readonly string[]).includes(kind)
/** Later than this, when it was heard of is told beside when it happened. */
const lateMs = 60_000

/** The way of a shipment: its legs with planned, estimated and actual times, and the milestones of each. */
export function Journey({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const mayAct = useCan('dispatch.addOrEdit') && shipment.state !== 'cancelled'
  const isOver = shipment.state === 'completed'
  const [noted, setNoted] = useState<{ corrects?: ShipmentEvent } | null>(null)
  const [rolled, setRolled] = useState<ShipmentLeg | null>(null)
  const milestones = shipment.events.filter(isMilestone)
  const correct = mayAct ? (event: ShipmentEvent) => setNoted({ corrects: event }) : undefined
  return (
    <Panel title={t('journey.title')}>
      <ol className={classes.journey}>
        {shipment.legs.map((leg) => (
          <li key={leg.id} className={classes.leg} data-rolled={leg.rolledAt !== null || undefined}>
            <LegHead leg={leg} />
            <Milestones events={milestones.filter(({ legId }) => legId === leg.id)} onCorrect={correct} />
            {mayAct && !isOver && leg.atd === null && leg.rolledAt === null && (
              <Button size="compact-sm" variant="subtle" onClick={() => setRolled(leg)}>
                {t('journey.roll')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Milestones events={milestones.filter(({ legId }) => legId === null)} onCorrect={correct} />
      {mayAct && (
        <Button mt="sm" variant="default" leftSection={<IconFlag size={16} />} onClick={() => setNoted({})}>
          {t('journey.milestone')}
        </Button>
      )}
      {noted && <MilestoneDialog shipment={shipment} corrects={noted.corrects} onClose={() => setNoted(null)} />}
      {rolled && <RollDialog shipment={shipment} leg={rolled} onClose={() => setRolled(null)} />}
    </Panel>
  )
}

function LegHead({ leg }: { leg: ShipmentLeg }) {
  const { t } = useTranslation('shipments')
  const now = useNow()
  const carriage = [leg.vesselName ?? leg.flightNumber ?? leg.carrierName, leg.voyage].filter(Boolean).join(' ')
  const unit = leg.containerNo ?? showAwb(leg.awb)
  const isUnchecked = leg.containerNo ? leg.containerUnchecked : leg.awbUnchecked
  const expected = leg.atd === null ? null : expectedArrival(leg, now)
  return (
    <>
      <Group gap="xs">
        <strong>{`${leg.sequence}. ${t(`mode.${leg.mode}`)}`}</strong>
        <span>{carriage}</span>
        {unit && (
          <span>
            {unit}
            {isUnchecked && ` (${t('report.unchecked')})`}
          </span>
        )}
        {leg.rolledAt && <span className={frames.note}>{t('journey.rolled')}</span>}
      </Group>
      <div className={classes.ends}>
        <End name={leg.fromName} port={leg.fromPort} zone={leg.fromZone} planned={leg.etd} actual={leg.atd} />
        <End
          name={leg.toName}
          port={leg.toPort}
          zone={leg.toZone}
          planned={leg.eta}
          actual={leg.ata}
          estimated={expected}
        />
      </div>
    </>
  )
}

interface EndProps {
  name: string | null
  port: string | null
  zone: string
  planned: string | null
  actual: string | null
  estimated?: number | null
}

function End({ name, port, zone, planned, actual, estimated = null }: EndProps) {
  const { t } = useTranslation('shipments')
  return (
    <div>
      <p>{[name, port && `(${port})`].filter(Boolean).join(' ')}</p>
      {planned && <p className={frames.note}>{`${t('journey.planned')}: ${formatTime(planned, zone)}`}</p>}
      {estimated !== null && (
        <p className={frames.note}>{`${t('journey.estimated')}: ${formatTime(estimated, zone)}`}</p>
      )}
      {actual && <p>{`${t('journey.actual')}: ${formatTime(actual, zone)}`}</p>}
    </div>
  )
}

interface MilestonesProps {
  events: readonly ShipmentEvent[]
  onCorrect?: ((event: ShipmentEvent) => void) | undefined
}

function Milestones({ events, onCorrect }: MilestonesProps) {
  const { t } = useTranslation('shipments')
  if (events.length === 0) return null
  return (
    <ul className={classes.milestones}>
      {events.map((event) => (
        <li key={event.id} data-corrected={event.isCorrected || undefined}>
          <strong>{t(`event.${event.kind}`)}</strong>
          <time dateTime={event.occurredAt}>{formatTime(event.occurredAt, event.timezone)}</time>
          <span className={frames.note}>
            {[
              event.placeName,
              event.byName ?? t(`source.${event.source}`),
              Date.parse(event.recordedAt) - Date.parse(event.occurredAt) > lateMs &&
                t('events.heard', { time: formatTime(event.recordedAt) }),
              event.corrects && t('events.correction'),
              event.isCorrected && t('events.corrected'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {onCorrect && !event.isCorrected && (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`${t('journey.correct')}: ${t(`event.${event.kind}`)}`}
              onClick={() => onCorrect(event)}
            >
              {t('journey.correct')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
