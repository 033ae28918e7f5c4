import type { Recipient } from '@isotherm/contract/alarm-recipients.ts'
import type { Alarm } from '@isotherm/contract/alarms.ts'
import { Alert, Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { NotHeard } from '../../../ui/not-heard.tsx'
import { ruleIn, scheduleIn } from '../rule-words.ts'
import { AlarmState, AlarmTargets } from './alarm-state.tsx'
import classes from './alarms.module.css'
import { SeverityMark } from './trigger-parts.tsx'

const minutes = (count: number) => formatDuration(count * 60_000)

/** The facts of an alarm in words: targets, times when it is armed, recipients. */
export function AlarmFacts({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const { rule } = alarm
  const band = rule.kind === 'value' && rule.deadbandC > 0 ? formatTemperature(rule.deadbandC) : null
  const facts: [string, ReactNode][] = [
    ['when', ruleIn(rule, alarm.places, t)],
    ['back', band && t('facts.backBand', { band })],
    ['watches', <AlarmTargets key="targets" alarm={alarm} />],
    ['severity', <SeverityMark key="severity" severity={alarm.severity} />],
    ['state', <AlarmState key="state" alarm={alarm} />],
    ['armed', scheduleIn(alarm.schedule, t)],
    ['recipients', <People key="people" alarm={alarm} recipients={alarm.recipients} />],
    ['reminder', alarm.reminderMinutes && t('facts.every', { duration: minutes(alarm.reminderMinutes) })],
    [
      'escalation',
      alarm.escalateMinutes && (
        <>
          {t('facts.after', { duration: minutes(alarm.escalateMinutes) })}
          <People alarm={alarm} recipients={alarm.escalation} />
        </>
      ),
    ],
    ['normal', t(alarm.notifyNormal ? 'facts.yes' : 'facts.no')],
    ['visibility', t(`form.${alarm.visibility}`)],
    ['changed', formatTime(alarm.updatedAt)],
  ]
  return (
    <Paper component="section" className={frames.panel} aria-label={t('facts.title')}>
      <h2>{t('facts.title')}</h2>
      {alarm.faults.length > 0 && (
        <Alert color="orange" mb="sm">
          {alarm.faults.map((fault) => (
            <div key={fault}>{t(`faultsHelp.${fault}`)}</div>
          ))}
        </Alert>
      )}
      <dl className={classes.facts}>
        {facts
          .filter(([, fact]) => fact)
          .map(([name, fact]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{t(`facts.${name}`)}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
    </Paper>
  )
}

/** Each with their channels, and with what does not reach them. */
function People({ alarm, recipients }: { alarm: Alarm; recipients: Recipient[] }) {
  const { t } = useTranslation('triggers')
  const channels = (each: Recipient) => each.channels.map((channel) => t(`channel.${channel}`)).join(', ')
  return recipients.map((each) => (
    <div key={each.userId ?? each.rotaId ?? each.address}>
      {each.rotaId === null ? (each.name ?? each.address) : t('alarms:rotaNamed', { name: each.name })}{' '}
      <span className={classes.rule}>({channels(each)})</span>
      {each.rotaId !== null && (
        <div className={classes.rule}>
          {each.onCall === null ? t('alarms:facts.onCallNobody') : t('alarms:facts.onCallNow', { name: each.onCall })}
        </div>
      )}
      {each.unreachable.length > 0 && (
        <div className={classes.rule}>
          {t('unreachable', { channels: each.unreachable.map((channel) => t(`channel.${channel}`)).join(', ') })}
        </div>
      )}
      {!each.hearsPrivate && <NotHeard devices={alarm.privateDevices} count={alarm.privateDeviceCount} />}
    </div>
  ))
}
