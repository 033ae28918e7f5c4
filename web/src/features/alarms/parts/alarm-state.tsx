import type { Alarm } from '@isotherm/contract/alarms.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import { StateDot } from '../../../ui/state-dot.tsx'
import classes from './alarms.module.css'

/** Armed, or snoozed until when; what keeps it from working; and how many of its triggers wait for somebody. */
export function AlarmState({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  return (
    <span className={classes.state}>
      {alarm.snoozedUntil ? (
        <StateDot tone="warning" label={t('state.snoozed', { time: formatTime(alarm.snoozedUntil) })} />
      ) : (
        <StateDot tone="ok" label={t(alarm.schedule ? 'state.scheduled' : 'state.armed')} />
      )}
      {alarm.faults.map((fault) => (
        <StateDot key={fault} tone="warning" label={t(`faults.${fault}`)} />
      ))}
      {alarm.openTriggers > 0 && <StateDot tone="warm" label={t('state.open', { count: alarm.openTriggers })} />}
    </span>
  )
}

/** "3 devices, 1 group", the names where there are few. */
export function AlarmTargets({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const names = [...alarm.groups, ...alarm.devices].map(({ name }) => name)
  if (names.length > 0 && names.length <= 2 && alarm.deviceCount <= 2) return <span>{names.join(', ')}</span>
  const groups = alarm.groups.length > 0 ? ` · ${t('targets.groups', { count: alarm.groups.length })}` : ''
  return (
    <span title={names.slice(0, 20).join(', ')}>
      {t('targets.devices', { count: alarm.deviceCount })}
      {groups}
    </span>
  )
}
