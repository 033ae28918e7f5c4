import type { Severity } from '@isotherm/contract/alarm-rules.ts'
import type { Receipt, Trigger } from '@isotherm/contract/triggers.ts'
import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'
import { formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/marks.module.css'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { happenedIn } from '../trigger-words.ts'
import classes from './triggers.module.css'

const tones: Record<Trigger['state'], Tone> = {
  pending: 'none',
  open: 'warm',
  acknowledged: 'warning',
  normal: 'ok',
  resolved: 'none',
}

export function TriggerState({ trigger }: { trigger: Pick<Trigger, 'state'> }) {
  const { t } = useTranslation('triggers')
  const { state } = trigger
  return <StateDot tone={tones[state]} label={t(`state.${state}`)} hollow={state === 'pending'} />
}

export function SeverityMark({ severity }: { severity: Severity }) {
  const { t } = useTranslation('triggers')
  return <StateDot tone={severity === 'critical' ? 'warm' : 'warning'} label={t(`severity.${severity}`)} />
}

/** "Van 3 above 8.0 °C for 12 min, peak 9.4 °C", kept up to the minute. */
export function HappenedText({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const now = useNow()
  return <>{happenedIn(trigger, t, now)}</>
}

/** Warnings before somebody relies on it. */
export function TriggerMarks({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const marks = [
    ...(trigger.withdrawnAt ? [{ name: 'withdrawn', time: formatTime(trigger.withdrawnAt) }] : []),
    ...(trigger.isLate ? [{ name: 'late', time: trigger.recordedAt ? formatTime(trigger.recordedAt) : '' }] : []),
    ...(trigger.amendedAt && !trigger.withdrawnAt ? [{ name: 'amended', time: formatTime(trigger.amendedAt) }] : []),
    ...(trigger.refiredAt ? [{ name: 'refired', time: formatTime(trigger.refiredAt) }] : []),
    ...(trigger.isShelved ? [{ name: 'shelved', time: '' }] : []),
    ...(trigger.escalatedAt ? [{ name: 'escalated', time: formatTime(trigger.escalatedAt) }] : []),
  ]
  return marks.map(({ name, time }) => (
    <Tooltip key={name} label={t(`marks.${name}Hint`, { time })} multiline maw={280}>
      <span className={shared.mark}>{t(`marks.${name}`)}</span>
    </Tooltip>
  ))
}

const deliveryTones: Record<Receipt['state'], Tone> = {
  held: 'warning',
  queued: 'none',
  sending: 'none',
  accepted: 'ok',
  delivered: 'ok',
  failed: 'warm',
  skipped: 'warning',
  read: 'ok',
  unread: 'none',
}

export function Delivery({ state }: { state: Receipt['state'] }) {
  const { t } = useTranslation('triggers')
  const isOnWay = state === 'queued' || state === 'sending' || state === 'unread'
  return <StateDot tone={deliveryTones[state]} label={t(`delivery.${state}`)} hollow={isOnWay} />
}

const isBad = ({ state }: Receipt) => state === 'failed' || state === 'skipped'

/** "Told: Amina, Joseph (mail, SMS)" in a row, and how many messages did not go. */
export function ReceiptLine({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const { told } = trigger
  if (told.length === 0) return <span>{t(trigger.isShelved ? 'told.shelved' : 'told.nobody')}</span>
  const went = told.filter((each) => !isBad(each))
  const names = [...new Set(went.map(({ to }) => to))]
  const channels = [...new Set(went.map(({ channel }) => t(`channel.${channel}`)))]
  const shown = names.slice(0, 3).join(', ')
  const who = names.length > 3 ? t('told.more', { names: shown, count: names.length - 3 }) : shown
  const failed = told.length - went.length
  return (
    <span className={classes.receipts}>
      <span>{went.length > 0 ? t('told.line', { who, channels: channels.join(', ') }) : t('told.nobody')}</span>
      {failed > 0 && <StateDot tone="warm" label={t('told.failed', { count: failed })} />}
    </span>
  )
}

/** Every message about it: to whom, how, whether it arrived. */
export function ReceiptList({ told }: { told: readonly Receipt[] }) {
  const { t } = useTranslation('triggers')
  return (
    <ul className={classes.receiptList}>
      {told.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two browsers of a person differ in nothing that is shown
        <li key={`${each.channel} ${each.to} ${each.event} ${each.at} ${index}`}>
          <span className={classes.receiptWho}>
            <b>{each.to}</b>
            <span className={shared.small}>
              {[t(`channel.${each.channel}`), t(`event.${each.event}`), formatTime(each.at)].join(' · ')}
            </span>
            {each.reason && <span className={shared.small}>{each.reason}</span>}
          </span>
          <Delivery state={each.state} />
        </li>
      ))}
    </ul>
  )
}
