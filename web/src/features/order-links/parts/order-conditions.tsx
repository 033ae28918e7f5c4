import { orderLinks, type ShownConditions, type StopConditions } from '@isotherm/contract/order-links.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { shownLeftPct } from '@isotherm/contract/shown-figures.ts'
import { NativeSelect, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import {
  formatNumber,
  formatPercent,
  formatTemperature,
  judgedPercentDecimals,
  percentDecimals,
} from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { coverageText } from '../../../shared/stats/coverage.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { Tone } from '../../../ui/state-dot.tsx'
import classes from './order-links.module.css'

/** The colour of a verdict, which is never its only sign. */
export const toneOf = ({ verdict, worst, limits }: StopConditions): Tone => {
  if (verdict === 'inRange') return 'ok'
  if (verdict !== 'outOfRange') return verdict === 'incomplete' ? 'warning' : 'none'
  return worst && limits.min !== null && worst.temperatureC < limits.min ? 'cold' : 'warm'
}

const everyMs = 60_000

/** The conditions of the goods, from the start to the hand-over, of one receiver at a time. */
export function OrderConditions({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLinks')
  const first = order.receiverList.find(({ settledAt }) => settledAt === null) ?? order.receiverList[0]
  const [chosen, choose] = useState(first?.id ?? '')
  const answer = useCall(
    orderLinks.conditions,
    { params: { id: order.id, receiverId: chosen } },
    { enabled: order.startedAt !== null && chosen !== '', refetchMs: everyMs },
  )
  const receiver = order.receiverList.find(({ id }) => id === chosen)
  return (
    <Panel title={t('conditions.title')}>
      {order.receiverList.length > 1 && (
        <NativeSelect
          aria-label={t('links.receivers')}
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
          data={order.receiverList.map(({ id, party }) => ({ value: id, label: party.name }))}
          mb="sm"
        />
      )}
      {order.startedAt === null || answer.data === null ? (
        <Text size="sm" c="dimmed">
          {t('conditions.none')}
        </Text>
      ) : answer.data ? (
        <Shown shown={answer.data} zone={receiver?.stop.timezone ?? order.timezone} />
      ) : answer.error ? (
        <Failure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </Panel>
  )
}

function Shown({ shown: { conditions, chart }, zone }: { shown: ShownConditions; zone: string }) {
  const { t } = useTranslation('orderLinks')
  const { now, worst, outMs, coveragePct, budget, limits, humidity, readings } = conditions
  const left = budget && shownLeftPct(budget)
  const facts = {
    ...(humidity && {
      [t('conditions.humidityWorst')]:
        `${formatPercent(humidity.worstPct, judgedPercentDecimals(humidity.worstPct, humidity.limits))}, ${formatTime(humidity.at, zone)}`,
      [t('conditions.humidityLimits')]: limitsText(humidity.limits.min, humidity.limits.max, '%'),
      [t('conditions.humidityOut')]: formatDuration(humidity.outMs),
    }),
    [t('conditions.limits')]: limitsText(limits.min, limits.max, '°C'),
    [t('conditions.worst')]: worst
      ? `${formatTemperature(worst.temperatureC)}, ${formatTime(worst.at, zone)}`
      : t('conditions.noValue'),
    [t('conditions.out')]: formatDuration(outMs),
    [t('conditions.coverage')]: coverageText({ coveragePct }),
    [t('conditions.budget')]:
      budget && (left === null ? t(`budget.${budget.state}`) : formatPercent(left, percentDecimals(left))),
    [t('conditions.readings')]: formatNumber(readings),
  }
  return (
    <div data-tone={toneOf(conditions)}>
      <div className={classes.verdict}>{t(`verdict.${conditions.verdict}`)}</div>
      {now && (
        <>
          <div className={classes.number}>{formatTemperature(now.temperatureC)}</div>
          <div className={classes.small}>{formatTime(now.at, zone)}</div>
        </>
      )}
      {chart && <SmallChart chart={chart} limits={limits} label={t('conditions.chart')} />}
      <dl className={classes.facts}>
        {Object.entries(facts).map(([name, text]) =>
          text ? (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </div>
  )
}

const [width, height] = [320, 96]

interface ChartProps {
  chart: NonNullable<ShownConditions['chart']>
  limits: StopConditions['limits']
  label: string
}

/** Lowest and highest temperatures as a band, with the limits as lines. */
function SmallChart({ chart: { atMs, minC, maxC }, limits, label }: ChartProps) {
  const points = atMs.flatMap((at, index) => {
    const [low, high] = [minC[index] ?? null, maxC[index] ?? null]
    return low === null || high === null ? [] : [{ at, low, high }]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const lines = [limits.min, limits.max].filter((value) => value !== null)
  const values = [...points.flatMap(({ low, high }) => [low, high]), ...lines]
  const [least, most] = [Math.min(...values) - 0.5, Math.max(...values) + 0.5]
  const x = (at: number) => (((at - first.at) / (last.at - first.at)) * width).toFixed(1)
  const y = (value: number) => (height - ((value - least) / (most - least)) * height).toFixed(1)
  const band = [
    ...points.map(({ at, high }) => `${x(at)},${y(high + 0.05)}`),
    ...[...points].reverse().map(({ at, low }) => `${x(at)},${y(low - 0.05)}`),
  ]
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {lines.map((value) => (
        <line key={value} x1={0} x2={width} y1={y(value)} y2={y(value)} />
      ))}
      <polygon points={band.join(' ')} />
    </svg>
  )
}
