import type { RecordDetails, RecordStats } from '@isotherm/contract/records.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useNow } from '../../../lib/now.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import links from '../../../ui/text-link.module.css'
import { RecordState, SignatureState } from './record-state.tsx'
import classes from './records.module.css'

export const verdictTones: Record<Verdict, Tone> = {
  inRange: 'ok',
  incomplete: 'warning',
  outOfRange: 'warm',
  noLimits: 'none',
  noData: 'none',
}

/** The order that a record belongs to, as a link for who may see it. */
export function OrderLink({ order }: { order: { id: string; trackingCode: string } }) {
  const mayView = useCan('dispatch.view')
  if (!mayView) return <>{order.trackingCode}</>
  return (
    <Link to="/dispatch/order/$orderId" params={{ orderId: order.id }} className={links.link}>
      {order.trackingCode}
    </Link>
  )
}

/** The facts and results of the record. */
export function RecordFacts({ record, stats }: { record: RecordDetails; stats: RecordStats | undefined }) {
  const { t } = useTranslation('records')
  const now = useNow()
  const { state, startAt, endAt, lot, destination } = record
  const end = endAt ? formatTime(endAt) : destination ? t('atDestination', { name: destination.name }) : t('byHand')
  const lengthMs = (state === 'ended' && endAt ? Date.parse(endAt) : now) - Date.parse(startAt)
  const facts: [string, ReactNode][] = [
    ['state', <RecordState key="state" record={record} />],
    [
      'verdict',
      stats && state !== 'planned' ? (
        <StateDot key="verdict" tone={verdictTones[stats.verdict]} label={t(`verdict.${stats.verdict}`)} />
      ) : null,
    ],
    ['start', formatTime(startAt)],
    ['end', end],
    ['duration', state === 'planned' ? null : formatDuration(Math.max(0, lengthMs))],
    ['excursions', state === 'planned' ? null : formatNumber(record.excursions)],
    ['lot', lot],
    ['order', record.order && <OrderLink key="order" order={record.order} />],
    ['formerGroup', record.formerGroup],
    ['destination', endAt && destination ? destination.name : null],
    ['signature', record.signature ? <SignatureState key="signature" signature={record.signature} /> : null],
    ['by', `${record.createdBy}, ${formatTime(record.createdAt)}`],
  ]
  return (
    <Paper component="section" className={frames.panel} aria-label={t('facts.label')}>
      <p className={classes.whole} aria-hidden>
        {record.name}
      </p>
      <dl className={`${shared.facts} ${classes.facts}`}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{t(`facts.${name}` as 'facts.state')}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {state === 'planned' && record.group && <p className={frames.note}>{t('fixedLater')}</p>}
      {record.hasBudget && !record.budget && <p className={frames.note}>{t('budget.hidden')}</p>}
      {record.hiddenDevices > 0 && <p className={frames.note}>{t('hiddenDevices', { count: record.hiddenDevices })}</p>}
    </Paper>
  )
}
