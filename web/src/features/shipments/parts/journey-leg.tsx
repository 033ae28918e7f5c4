import { estimatesOf } from '@isotherm/contract/expected-arrival.ts'
import type { ShipmentEvent, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { showAwb } from '@isotherm/contract/unit-numbers.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconFlagOff, IconPencil, IconPlane, IconShip, IconTrain, IconTruck } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { useNow } from '../../../lib/now.ts'
import { formatTime } from '../../../lib/times.ts'
import { Unbroken } from '../../../ui/unbroken.tsx'
import { nameOfLeg, shareOf, stageOf, wasHeardLate } from '../journey-line.ts'
import { useWithdrawnWords } from '../use-withdrawn-words.ts'
import classes from './journey.module.css'

const icons = { sea: IconShip, air: IconPlane, road: IconTruck, rail: IconTrain }

interface JourneyLegProps {
  leg: ShipmentLeg
  /** The leg after it: where it begins is not said twice. */
  next: ShipmentLeg | undefined
  milestones: readonly ShipmentEvent[]
  onCorrect: ((event: ShipmentEvent) => void) | undefined
  onWithdraw: ((event: ShipmentEvent) => void) | undefined
  onRoll: (() => void) | undefined
}

const placeOf = (name: string | null, port: string | null) => [name, port && `(${port})`].filter(Boolean).join(' ')

/** A leg of the line of a journey. */
export function JourneyLeg({ leg, next, milestones, onCorrect, onWithdraw, onRoll }: JourneyLegProps) {
  const { t } = useTranslation('shipments')
  const now = useNow()
  const stage = stageOf(leg)
  const Icon = icons[leg.mode]
  const [from, to] = [placeOf(leg.fromName, leg.fromPort), placeOf(leg.toName, leg.toPort)]
  const isSaidByNext = next !== undefined && placeOf(next.fromName, next.fromPort) === to
  const carriage = [leg.vesselName ?? leg.flightNumber ?? leg.carrierName, leg.voyage].filter(Boolean).join(' ')
  // Where it is all that is known of the carriage, it is said as that.
  const carrier = (leg.vesselName ?? leg.flightNumber) !== null && leg.carrierName
  const unit = leg.containerNo ?? showAwb(leg.awb)
  const papers = [
    ['seal', leg.sealNo],
    ['bookingNumber', leg.bookingNumber],
    ['houseAwb', leg.houseAwb],
  ] as const
  const isUnchecked = leg.containerNo ? leg.containerUnchecked : leg.awbUnchecked
  return (
    <li className={classes.leg} data-stage={stage} style={{ '--share': shareOf(leg, now) } as CSSProperties}>
      <ul className={classes.milestones}>
        {milestones.map((event) => (
          <Milestone key={event.id} event={event} onCorrect={onCorrect} onWithdraw={onWithdraw} />
        ))}
      </ul>
      <div className={classes.way}>
        <span className={classes.node} />
        <span className={classes.track}>{stage === 'underWay' && <span className={classes.here} />}</span>
        {!next && <span className={classes.node} data-last />}
      </div>
      <div className={classes.below}>
        <div className={classes.places}>
          <span>{from}</span>
          {!isSaidByNext && <span className={classes.to}>{to}</span>}
        </div>
        <div className={classes.carriage}>
          <Icon size={16} aria-hidden />
          <strong>{`${leg.sequence}. ${t(`mode.${leg.mode}`)}`}</strong>
          <span className={classes.stage}>{t(`journey.stage.${stage}`)}</span>
          {carriage && <span>{carriage}</span>}
          {leg.imo && <span>{`IMO ${leg.imo}${leg.imoUnchecked ? ` (${t('report.unchecked')})` : ''}`}</span>}
          {carrier && <span>{carrier}</span>}
          {unit && (
            <span>
              <Unbroken text={unit} />
              {isUnchecked && ` (${t('report.unchecked')})`}
            </span>
          )}
          {papers.map(
            ([name, number]) =>
              number && (
                <span key={name}>
                  {`${t(`fields.${name}`)} `}
                  <Unbroken text={number} />
                </span>
              ),
          )}
        </div>
        <Times leg={leg} now={now} />
        {onRoll && (
          <Button
            size="compact-sm"
            variant="subtle"
            mt={4}
            px={0}
            aria-label={named(t('journey.roll'), nameOfLeg(leg, t(`mode.${leg.mode}`)))}
            onClick={onRoll}
          >
            {t('journey.roll')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** The planned and estimated times of a leg, each by the clock of its place; actual times are milestones. */
function Times({ leg, now }: { leg: ShipmentLeg; now: number }) {
  const { t } = useTranslation('shipments')
  const estimated = estimatesOf(leg, now)
  const times = [
    [t('journey.plannedDeparture'), leg.plannedEtd, leg.fromZone],
    [t('journey.estimatedDeparture'), estimated.departure, leg.fromZone],
    [t('journey.plannedArrival'), leg.plannedEta, leg.toZone],
    [t('journey.estimatedArrival'), estimated.arrival, leg.toZone],
  ] as const
  return (
    <dl className={classes.times}>
      {times.map(
        ([name, at, zone]) =>
          at !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <time dateTime={new Date(at).toISOString()}>{formatTime(at, zone)}</time>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

type MilestoneProps = { event: ShipmentEvent } & Pick<JourneyLegProps, 'onCorrect' | 'onWithdraw'>

function Milestone({ event, onCorrect, onWithdraw }: MilestoneProps) {
  const { t } = useTranslation('shipments')
  const withdrawnWords = useWithdrawnWords()
  const name = t(`event.${event.kind}`)
  const acts = [
    [t('journey.correct'), IconPencil, onCorrect],
    [t('journey.withdraw'), IconFlagOff, onWithdraw],
  ] as const
  const details = [
    event.placeName,
    event.byName ?? t(`source.${event.source}`),
    wasHeardLate(event) && t('events.heard', { time: formatTime(event.recordedAt) }),
    event.corrects && t('events.correction'),
    withdrawnWords(event),
  ]
  return (
    <li data-withdrawn={event.withdrawn ? true : undefined}>
      <span className={classes.occurred}>
        {event.withdrawn ? <s>{name}</s> : <strong>{name}</strong>}
        {acts.map(
          ([act, Icon, onAct]) =>
            onAct &&
            !event.withdrawn && (
              <ActionIcon
                key={act}
                size={24}
                variant="subtle"
                color="gray"
                aria-label={named(act, name)}
                title={act}
                onClick={() => onAct(event)}
              >
                <Icon size={14} />
              </ActionIcon>
            ),
        )}
      </span>
      <time dateTime={event.occurredAt}>{formatTime(event.occurredAt, event.timezone)}</time>
      <small>{details.filter(Boolean).join(' · ')}</small>
    </li>
  )
}
