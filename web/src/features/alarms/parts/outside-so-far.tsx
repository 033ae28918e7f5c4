import type { ValueRule } from '@isotherm/contract/alarm-rules.ts'
import { type Alarm, alarms, type OutsideSoFar as Counted } from '@isotherm/contract/alarms.ts'
import { Paper, Progress, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { conditionValue } from '../trigger-words.ts'
import classes from './alarms.module.css'

type Rule = ValueRule & { cumulative: NonNullable<ValueRule['cumulative']> }

/** Readings come by the minute at most. */
const refetchMs = 60_000

/** How much of the time that a cumulative alarm allows its devices have used; nothing for another alarm. */
export function OutsideSoFar({ alarm: { id, rule } }: { alarm: Alarm }) {
  return rule.kind === 'value' && rule.cumulative ? (
    <Panel alarmId={id} rule={{ ...rule, cumulative: rule.cumulative }} />
  ) : null
}

function Panel({ alarmId, rule }: { alarmId: string; rule: Rule }) {
  const { t } = useTranslation('alarms')
  const { data, error, refetch } = useCall(alarms.outside, { params: { id: alarmId } }, { refetchMs })
  const { window } = rule.cumulative
  return (
    <Paper component="section" className={frames.panel} aria-label={t('outside.title')}>
      <h2>{t('outside.title')}</h2>
      {data ? (
        <ul className={classes.outside}>
          {data.data.map((counted) => (
            <Used
              key={`${counted.device.id} ${counted.condition} ${counted.recordFrom}`}
              counted={counted}
              rule={rule}
            />
          ))}
        </ul>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={44} radius="sm" />
      )}
      {data && (
        <p className={frames.note}>
          {data.data.length > 0 ? t(`outside.note.${window}`) : t(`outside.none.${window}`)}
        </p>
      )}
    </Paper>
  )
}

const inMinutes = (count: number) => formatDuration(count * 60_000)

function Used({ counted, rule }: { counted: Counted; rule: Rule }) {
  const { t } = useTranslation('alarms')
  const { device, condition, minutes, since, recordFrom } = counted
  const allowed = rule.cumulative.minutes
  const counts = minutes > 0 ? inMinutes(minutes) : t('outside.under', { duration: inMinutes(1) })
  const used = t('outside.of', { used: counts, allowed: inMinutes(allowed) })
  const limit = t(`outside.beyond.${condition}`, { limit: conditionValue(condition, limitOf(rule, condition)) })
  const more = [
    since && t('outside.since', { time: formatTime(since) }),
    recordFrom && t('outside.recordFrom', { time: formatTime(recordFrom) }),
  ]
  return (
    <li>
      <div className={classes.outsideLine}>
        <b>{device.name}</b> <span>{used}</span>
      </div>
      <Progress
        my={4}
        value={Math.min(100, (minutes / allowed) * 100)}
        color={minutes >= allowed ? 'red' : minutes * 4 > allowed * 3 ? 'yellow' : undefined}
        aria-label={named(device.name, used)}
      />
      <div className={frames.note}>{[limit, ...more.filter(Boolean)].join(' · ')}</div>
    </li>
  )
}

const limitOf = (rule: Rule, condition: Counted['condition']) =>
  ({
    temperatureMin: rule.temperatureMinC,
    temperatureMax: rule.temperatureMaxC,
    humidityMin: rule.humidityMinPct,
    humidityMax: rule.humidityMaxPct,
  })[condition]
