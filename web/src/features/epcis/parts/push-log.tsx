import { type EpcisPush, epcis, pushErrors } from '@isotherm/contract/epcis.ts'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import classes from './epcis.module.css'

/** So many pushes are shown at once. */
export const pushesPerLook = 20

export const isUnderWay = ({ state }: EpcisPush) => state === 'waiting' || state === 'sent'

interface PushListProps {
  pushes: readonly EpcisPush[]
  /** Sends the newest one again; one that a newer push followed is out of date. Null: nothing is sent. */
  onRetry: ((id: string) => void) | null
}

export function PushList({ pushes, onRetry }: PushListProps) {
  return (
    <ul className={classes.list}>
      {pushes.map((push, index) => (
        <Pushed key={push.id} push={push} onRetry={onRetry && index === 0 ? () => onRetry(push.id) : null} />
      ))}
    </ul>
  )
}

/** The pushes from before those that are shown, once somebody asks for them: each page by the end of the one after it. */
export function OlderPushes({ shipmentId, after }: { shipmentId: string; after: readonly EpcisPush[] }) {
  const { t } = useTranslation('epcis')
  const [isOpen, setIsOpen] = useState(false)
  const before = after.length < pushesPerLook ? undefined : after.at(-1)?.id
  const asked = { params: { id: shipmentId }, query: { before, limit: pushesPerLook } }
  const older = useCall(epcis.pushes, asked, { enabled: isOpen && before !== undefined })
  if (before === undefined) return null
  if (!isOpen)
    return (
      <Button variant="default" size="sm" mt="xs" onClick={() => setIsOpen(true)}>
        {t('older')}
      </Button>
    )
  if (!older.data)
    return older.error ? (
      <Failure error={older.error} onRetry={() => void older.refetch()} />
    ) : (
      <Skeleton height={120} />
    )
  return (
    <>
      <PushList pushes={older.data} onRetry={null} />
      <OlderPushes shipmentId={shipmentId} after={older.data} />
    </>
  )
}

const tones: Record<EpcisPush['state'], Tone> = { waiting: 'none', sent: 'none', accepted: 'ok', failed: 'warm' }

const ownErrors = Object.keys(pushErrors) as (keyof typeof pushErrors)[]

function Pushed({ push, onRetry }: { push: EpcisPush; onRetry: (() => void) | null }) {
  const { t } = useTranslation('epcis')
  const { state, createdAt, createdByName, url, events, attempts, lastError, nextAt } = push
  const own = ownErrors.find((name) => pushErrors[name] === lastError)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <StateDot tone={tones[state]} label={t(`states.${state}`)} />
        <span className={classes.small}>
          {[formatTime(createdAt), createdByName, t('events', { count: events }), url].join(' · ')}
        </span>
        <span className={classes.small}>
          {[
            t('attempts', { count: attempts }),
            own ? t(`errors.${own}`) : lastError,
            nextAt && isUnderWay(push) && t('next', { time: formatTime(nextAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {state === 'failed' && onRetry && (
        <Button variant="default" size="sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </li>
  )
}
