import type { DispatchWarning } from '@isotherm/contract/order-warnings.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatTime } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import { AnchorLink } from '../../../ui/links.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import classes from './order-life.module.css'

interface WarningLinesProps {
  warnings: readonly DispatchWarning[]
  /** They are of several orders: each leads to its own. */
  hasOrder?: boolean
}

/** Warnings of orders, each with who acknowledged it, or the button for it. */
export const WarningLines = ({ warnings, hasOrder = false }: WarningLinesProps) => (
  <ul className={classes.stops}>
    {warnings.map((warning) => (
      <li key={warning.id}>
        <Line warning={warning} hasOrder={hasOrder} />
      </li>
    ))}
  </ul>
)

const tones = { open: 'warning', acknowledged: 'none', over: 'ok' } as const

function Line({ warning, hasOrder }: { warning: DispatchWarning; hasOrder: boolean }) {
  const { t } = useTranslation('orderLife')
  const { state, orderId, trackingCode, beganAt, overAt, escalatedAt, acknowledgedAt, acknowledgedBy, note } = warning
  const what = useSentence(warning)
  return (
    <>
      <div className={classes.stopHead}>
        <span>
          {hasOrder && (
            <>
              <AnchorLink to="/dispatch/order/$orderId" params={{ orderId }}>
                {trackingCode}
              </AnchorLink>{' '}
            </>
          )}
          {what}
        </span>
        <StateDot tone={tones[state]} hollow={state !== 'open'} label={t(`warnings.state.${state}`)} />
      </div>
      <p className={classes.line}>
        <Age at={beganAt} />
        {state === 'over' && overAt && <> · {t('warnings.overAt', { time: formatTime(overAt) })}</>}
      </p>
      {escalatedAt && <p className={classes.line}>{t('warnings.escalatedAt', { time: formatTime(escalatedAt) })}</p>}
      {acknowledgedAt && (
        <p className={classes.line}>
          {t('warnings.acknowledgedBy', { name: acknowledgedBy ?? '–', time: formatTime(acknowledgedAt) })}
          {note && <> · {note}</>}
        </p>
      )}
      {warning.canAcknowledge && <Acknowledge warning={warning} what={what} />}
    </>
  )
}

function useSentence({ receiver, device, due, expected, timezone, measure, side }: DispatchWarning): string {
  const { t } = useTranslation('orderLife')
  const time = (at: string | null) => (at === null ? '–' : formatTime(at, timezone))
  if (device === null || measure === null || side === null)
    return t('warnings.late', { name: receiver?.name ?? '–', expected: time(expected), due: time(due) })
  return t('warnings.outOfRange', { name: device.name, what: t(`warnings.what.${measure}.${side}`) })
}

function Acknowledge({ warning, what }: { warning: DispatchWarning; what: string }) {
  const { t } = useTranslation('orderLife')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        mt={6}
        size="xs"
        aria-label={named(t('warnings.acknowledge'), what)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('warnings.acknowledge')}
      </Button>
      {isOpen && <AcknowledgeDialog warning={warning} what={what} onClose={() => setOpen(false)} />}
    </>
  )
}
