import { alarms } from '@isotherm/contract/alarms.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { CloseButton, Drawer, Paper, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../lib/call-error.ts'
import { useCan } from '../../../lib/can.ts'
import { nowMs } from '../../../lib/now.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatExactTime } from '../../../lib/times.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { AnchorLink } from '../../../ui/links.tsx'
import shared from '../../../ui/marks.module.css'
import { chartAround } from '../chart-around.ts'
import { conditionValue } from '../trigger-words.ts'
import { AssigneeLine } from './assignee-line.tsx'
import { PresentValue } from './present-value.tsx'
import { HappenedText, ReceiptList, SeverityMark, TriggerMarks, TriggerState } from './trigger-parts.tsx'
import { TriggerTimeline } from './trigger-timeline.tsx'
import { TriggerTimes } from './trigger-times.tsx'
import classes from './triggers.module.css'

interface TriggerPanelProps {
  id: string
  isPhone: boolean
  onClose: () => void
  buttons: (trigger: Trigger) => ReactNode
}

/** One trigger beside the list; over it on a phone. */
export function TriggerPanel({ id, isPhone, onClose, buttons }: TriggerPanelProps) {
  const { t } = useTranslation('alarms')
  const answer = useCall(alarms.trigger, { params: { id } })
  const trigger = answer.data
  const isGone = isCallError(answer.error) && answer.error.status === 404
  const body = (
    <>
      {trigger && <Details trigger={trigger} buttons={buttons(trigger)} />}
      {!trigger && isGone && <Empty title={t('trigger.goneTitle')} text={t('trigger.goneText')} />}
      {!trigger && answer.error && !isGone && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!trigger && !answer.error && <Skeleton height={320} radius="md" />}
    </>
  )
  if (isPhone)
    return (
      <Drawer
        opened
        position="bottom"
        size="92%"
        title={t('trigger.title')}
        onClose={onClose}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        {body}
      </Drawer>
    )
  return (
    <Paper component="aside" data-letter-keys className={classes.panel} aria-label={t('trigger.title')}>
      <div className={classes.head}>
        <span className={shared.small}>{t('trigger.title')}</span>
        <CloseButton aria-keyshortcuts="Escape" aria-label={t('common:actions.close')} onClick={onClose} />
      </div>
      {body}
    </Paper>
  )
}

function Details({ trigger, buttons }: { trigger: Trigger; buttons: ReactNode }) {
  const { t } = useTranslation('triggers')
  const mayViewDevice = useCan('devices.view')
  const facts = useFacts(trigger, mayViewDevice)
  return (
    <div className={classes.details}>
      <PresentValue trigger={trigger} />
      <h2>
        <HappenedText trigger={trigger} />
      </h2>
      <div className={classes.facts}>
        <SeverityMark severity={trigger.severity} />
        <TriggerState trigger={trigger} />
        <TriggerMarks trigger={trigger} />
      </div>
      {buttons && <div className={classes.buttons}>{buttons}</div>}
      <AssigneeLine trigger={trigger} />
      <TriggerTimes trigger={trigger}>
        <dl className={classes.list}>
          {facts
            .filter(([, fact]) => fact)
            .map(([name, fact]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{t(`facts.${name}`)}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
        </dl>
      </TriggerTimes>
      {mayViewDevice && (
        <AnchorLink
          size="sm"
          to="/devices/$deviceId/details"
          params={{ deviceId: trigger.deviceId }}
          search={chartAround(trigger, nowMs())}
        >
          {t('showOnChart')}
        </AnchorLink>
      )}
      {trigger.note && (
        <section>
          <h3>{t('note')}</h3>
          <p className={classes.note}>{trigger.note}</p>
        </section>
      )}
      <TriggerTimeline trigger={trigger} />
      <section>
        <h3>{t('told.title')}</h3>
        {trigger.told.length > 0 ? (
          <ReceiptList told={trigger.told} />
        ) : (
          <p className={classes.note}>{t(trigger.isShelved ? 'told.shelved' : 'told.nobody')}</p>
        )}
      </section>
    </div>
  )
}

/** The facts by name; empty where one is not known. */
function useFacts(trigger: Trigger, mayViewDevice: boolean): [string, ReactNode][] {
  const { t } = useTranslation('triggers')
  const { condition, position, cumulative: total } = trigger
  const value = (number: number | null) => conditionValue(condition, number)
  const at = (instant: string | null) => instant && formatExactTime(instant)
  const by = (who: { name: string } | null, instant: string | null) =>
    who && instant && t('byAt', { name: who.name, time: formatExactTime(instant) })
  const place = position && (position.placeName ?? `${position.lat.toFixed(4)}, ${position.lon.toFixed(4)}`)
  return [
    [
      'alarm',
      <AnchorLink key="alarm" to="/alarms/$alarmId/details" params={{ alarmId: trigger.alarmId }} size="sm">
        {trigger.alarmName}
      </AnchorLink>,
    ],
    [
      'device',
      mayViewDevice ? (
        <AnchorLink key="device" to="/devices/$deviceId/details" params={{ deviceId: trigger.deviceId }} size="sm">
          {trigger.deviceName}
        </AnchorLink>
      ) : (
        trigger.deviceName
      ),
    ],
    ['limit', value(trigger.limit)],
    [
      'total',
      total &&
        t('totalWithin', {
          total: formatDuration(total.minutes * 60_000),
          within: t(`inTotal.within.${total.window}`),
        }),
    ],
    ['value', value(trigger.value)],
    [
      'peak',
      trigger.peakAt && value(trigger.peak) && t('valueAt', { value: value(trigger.peak), time: at(trigger.peakAt) }),
    ],
    ['place', place],
    ['breachAt', at(trigger.breachAt)],
    ['openedAt', at(trigger.openedAt)],
    ['normalAt', at(trigger.normalAt)],
    ['recordedAt', at(trigger.recordedAt)],
    ['acknowledged', by(trigger.acknowledgedBy, trigger.acknowledgedAt)],
    ['escalatedAt', at(trigger.escalatedAt)],
    ['resolved', by(trigger.resolvedBy, trigger.resolvedAt)],
  ]
}
