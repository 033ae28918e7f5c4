import type { Trigger } from '@isotherm/contract/triggers.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { named } from '../../../lib/named.ts'
import { Age } from '../../../ui/age.tsx'
import { HappenedText, ReceiptLine, TriggerMarks, TriggerState } from './trigger-parts.tsx'
import classes from './triggers.module.css'

/** One firing in a list: what happened in words, since when, where, who was told, who acknowledged. */
export function TriggerRow({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const place = trigger.position?.placeName
  return (
    <span className={classes.row}>
      <span className={classes.happened}>
        <HappenedText trigger={trigger} />
      </span>
      <span className={classes.facts}>
        <TriggerState trigger={trigger} />
        <span className={classes.severity}>{t(`severity.${trigger.severity}`)}</span>
        <Age at={trigger.openedAt ?? trigger.breachAt} />
        {place && <span>{t('near', { place })}</span>}
        <span>{trigger.alarmName}</span>
        <TriggerMarks trigger={trigger} />
      </span>
      <span className={classes.facts}>
        <ReceiptLine trigger={trigger} />
        <Acknowledged trigger={trigger} />
        <Assigned trigger={trigger} />
        {trigger.comments > 0 && <span>{t('comments', { count: trigger.comments })}</span>}
      </span>
    </span>
  )
}

function Acknowledged({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  if (trigger.resolvedBy) return <span>{t('resolvedBy', { name: trigger.resolvedBy.name })}</span>
  if (trigger.acknowledgedBy) return <span>{t('acknowledgedBy', { name: trigger.acknowledgedBy.name })}</span>
  return null
}

/** Where it does not go without saying: who acknowledged looks after it. */
function Assigned({ trigger: { assignee, acknowledgedBy, resolvedBy } }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  if (!assignee || resolvedBy || acknowledgedBy?.id === assignee.id) return null
  return <span className={classes.severity}>{t('assignedTo', { name: assignee.name })}</span>
}

interface ButtonsProps {
  trigger: Trigger
  busy: boolean
  onAcknowledge: () => void
  onResolve: () => void
}

/** Acknowledge and Resolve, for those who may and while there is something to do. */
export function TriggerButtons({ trigger, busy, onAcknowledge, onResolve }: ButtonsProps) {
  const { t } = useTranslation('alarms')
  const mayResolve = useCan('alarms.addOrEdit')
  // Each row has the same ones.
  const act = (action: string) => ({
    ...{ className: classes.act, size: 'xs', children: action },
    'aria-label': named(action, `${trigger.deviceName}, ${trigger.alarmName}`),
  })
  if (trigger.state === 'pending' || trigger.state === 'resolved' || trigger.withdrawnAt) return null
  return (
    <>
      {trigger.canAcknowledge && !trigger.acknowledgedAt && (
        <Button {...act(t('actions.acknowledge'))} aria-keyshortcuts="e" loading={busy} onClick={onAcknowledge} />
      )}
      {mayResolve && <Button {...act(t('actions.resolve'))} variant="default" onClick={onResolve} />}
    </>
  )
}
