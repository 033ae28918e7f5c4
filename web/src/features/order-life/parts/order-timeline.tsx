import { fitWarnings, orderLife } from '@isotherm/contract/order-life.ts'
import { type OrderEvent, Outcome } from '@isotherm/contract/orders.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { WithUnbroken } from '../../../ui/unbroken.tsx'
import { writeWarningValue } from '../warning-value.ts'
import classes from './order-life.module.css'

/** Later than this, when it was heard of is told beside when it happened. */
const lateMs = 60_000

/** The events of an order: when each happened in the zone of its place, and when it was heard of where that was later. */
export function OrderTimeline({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderLife')
  const { data, error, refetch } = useCall(orderLife.events, { params: { id: orderId } }, { refetchMs: 60_000 })
  return (
    <Panel title={t('events.title')}>
      {data ? (
        <ol className={classes.events}>
          {data.map((event) => (
            <TimelineEvent key={event.id} event={event} />
          ))}
        </ol>
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </Panel>
  )
}

function TimelineEvent({ event }: { event: OrderEvent }) {
  const { t } = useTranslation('orderLife')
  const { kind, occurredAt, recordedAt, timezone, receiver, source } = event
  const isLate = Date.parse(recordedAt) - Date.parse(occurredAt) > lateMs
  const said = [receiver?.name, event.by ?? t(`source.${source}`), ...useDetail(event)].filter(Boolean).join(' · ')
  return (
    <li data-kind={kind}>
      <time dateTime={occurredAt}>{formatTime(occurredAt, timezone)}</time>
      <div>
        <strong>{t(`event.${kind}`)}</strong>
        <p className={classes.line}>
          <WithUnbroken text={said} />
        </p>
        {isLate && <p className={classes.line}>{t('events.heard', { time: formatTime(recordedAt) })}</p>}
      </div>
    </li>
  )
}

/** Warnings that are about a device, which an event does not name: not everybody may see it. */
const ofDevice = new Set<string>(['silent', 'battery', 'noLimits', 'notPreCooled'])

/** Facts of an event in words: a warning, an outcome, a reason, a time, a driver and a vehicle. */
function useDetail({ detail, timezone }: OrderEvent): string[] {
  const { t } = useTranslation('orderLife')
  const { code, value, outcome, reason, until, driver, plate, returnTo } = detail
  const warning = fitWarnings.find((one) => one === code)
  const known = Outcome.options.find((one) => one === outcome)
  return [
    warning && ofDevice.has(warning) ? t('hiddenDevice') : null,
    warning ? t(`warning.${warning}`, { value: writeWarningValue(String(value ?? '')) }) : null,
    code === 'notStarted' ? t('warning.notStarted') : null,
    known ? t(`outcome.${known}`) : null,
    typeof until === 'string' ? t('events.until', { time: formatTime(until, timezone) }) : null,
    ...[driver, plate, returnTo],
    code === 'notStarted' ? null : reason,
    ...(Array.isArray(detail.items) ? detail.items : []),
    detail.asked === 'start' ? t('start.waits') : null,
    detail.asked === 'end' ? t('end.waits') : null,
    ...changesOf(detail),
    detail.devicesAdded ? t('events.devicesAdded', { count: Number(detail.devicesAdded) }) : null,
    detail.devicesRemoved ? t('events.devicesRemoved', { count: Number(detail.devicesRemoved) }) : null,
  ].filter((one): one is string => typeof one === 'string' && one !== '')
}

/** Facts that were one thing before and are another after: "Musa → Ngozi". */
const changesOf = (detail: OrderEvent['detail']): string[] =>
  ['driver', 'plate'].flatMap((name) => {
    const [before, after] = [detail[`${name}Before`], detail[`${name}After`]]
    return before === after ? [] : [`${before ?? '–'} → ${after ?? '–'}`]
  })
