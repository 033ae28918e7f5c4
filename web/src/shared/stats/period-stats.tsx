import type { Period } from '@isotherm/contract/common.ts'
import { type MeasureStats, stats, type Verdict } from '@isotherm/contract/stats.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, measureDecimals, withUnit } from '../../lib/numbers.ts'
import { useCall } from '../../lib/query.ts'
import { formatDuration, formatSpan, formatTime } from '../../lib/times.ts'
import { Failure } from '../../ui/failure.tsx'
import { Renewing } from '../../ui/renewing.tsx'
import { StateDot, type Tone } from '../../ui/state-dot.tsx'
import { Value } from '../../ui/value.tsx'
import { coverageText, gapOf } from './coverage.ts'
import { Figure, FigureGroup, FigureStrip } from './figures.tsx'

interface PeriodStatsProps {
  deviceId: string
  period: Period
  /** When the device was set up: it could measure nothing before. */
  since: string
}

/** The statistics of a device's period, as the server works it out from every reading. Texts: namespace `stats`. */
export function PeriodStats({ deviceId, period: asked, since }: PeriodStatsProps) {
  const { t } = useTranslation('stats')
  const isYoung = asked.from < since && since < asked.to
  const period = isYoung ? { ...asked, from: since } : asked
  const answer = useCall(stats.device, { params: { id: deviceId }, query: period }, { keepPrevious: true })
  const { data } = answer
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <FigureStrip label={t('label')}>
        {data && <MeasureFigures measure="temperature" figures={data.temperature} since={isYoung ? since : null} />}
        {data && isMeasured(data.humidity) && (
          <MeasureFigures measure="humidity" figures={data.humidity} since={isYoung ? since : null} />
        )}
        {!data && !answer.error && <Skeleton height={104} />}
        {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      </FigureStrip>
    </Renewing>
  )
}

const isMeasured = ({ count, coveredMs }: MeasureStats) => count > 0 || coveredMs > 0

const looks = {
  temperature: { unit: '°C', decimals: 1 },
  humidity: { unit: '%', decimals: 0 },
} as const
const tones: Record<Exclude<Verdict, 'outOfRange'>, Tone> = {
  inRange: 'ok',
  incomplete: 'warning',
  noLimits: 'none',
  noData: 'none',
}

interface MeasureFiguresProps {
  measure: 'temperature' | 'humidity'
  figures: MeasureStats
  /** Where the device was set up within the period: when. */
  since: string | null
}

function MeasureFigures({ measure, figures, since }: MeasureFiguresProps) {
  const { t } = useTranslation('stats')
  const { verdict, aboveMs, belowMs } = figures
  const outTone = measure === 'humidity' ? 'warning' : belowMs > aboveMs ? 'cold' : 'warm'
  const tone = verdict === 'outOfRange' ? outTone : tones[verdict]
  const look = looks[measure]
  return (
    <FigureGroup title={t(measure)} state={<StateDot tone={tone} label={t(`verdict.${verdict}`)} />}>
      <Extreme label={t('lowest')} point={figures.min} look={look} />
      <Figure label={t('average')}>
        <Value value={figures.average} {...look} size="md" reason={t('noData')} />
      </Figure>
      <Extreme label={t('highest')} point={figures.max} look={look} />
      {figures.mkt && <MeanKinetic mkt={figures.mkt} />}
      <TimeOut figures={figures} />
      <Excursions figures={figures} />
      <Coverage figures={figures} since={since} />
    </FigureGroup>
  )
}

const toneOf = (judgement: NonNullable<MeasureStats['min']>['judgement'], unit: string): Tone | undefined => {
  if (judgement !== 'above' && judgement !== 'below') return undefined
  if (unit === '%') return 'warning'
  return judgement === 'above' ? 'warm' : 'cold'
}

interface ExtremeProps {
  label: string
  point: MeasureStats['min']
  look: { unit: string; decimals: number }
}

function Extreme({ label, point, look }: ExtremeProps) {
  const { t } = useTranslation('stats')
  const tone = point ? toneOf(point.judgement, look.unit) : undefined
  const exact =
    tone && point ? { decimals: measureDecimals(look.unit === '°C' ? 'temperature' : 'humidity', point.value) } : {}
  return (
    <Figure label={label} hint={point ? t('reachedAt', { time: formatTime(point.at) }) : undefined}>
      <Value value={point?.value} {...look} {...exact} size="md" tone={tone} reason={t('noData')} />
    </Figure>
  )
}

function MeanKinetic({ mkt }: { mkt: NonNullable<MeasureStats['mkt']> }) {
  const { t } = useTranslation('stats')
  const energy = withUnit(mkt.activationKjPerMol, 'kJ/mol')
  const reason = mkt.reason ? t(`mktNone.${mkt.reason}`) : undefined
  return (
    <Figure
      label={t('mkt')}
      hint={reason ? undefined : t('mktHint', { energy })}
      note={reason ?? t('activation', { energy })}
    >
      <Value value={mkt.valueC} unit="°C" decimals={1} size="md" reason={reason} />
    </Figure>
  )
}

function TimeOut({ figures: { aboveMs, belowMs, unjudgedMs, verdict } }: { figures: MeasureStats }) {
  const { t } = useTranslation('stats')
  const outMs = aboveMs + belowMs
  const isBoth = aboveMs > 0 && belowMs > 0
  const notes = [
    ...(isBoth
      ? [t('above', { duration: formatDuration(aboveMs) }), t('below', { duration: formatDuration(belowMs) })]
      : []),
    ...(unjudgedMs > 0 ? [t('unjudged', { duration: formatDuration(unjudgedMs) })] : []),
  ]
  if (isUnjudged(verdict)) return <Unjudged label={t('timeOut')} verdict={verdict} column={5} />
  return (
    <Figure label={t('timeOut')} note={notes.join(' · ')} column={5}>
      {outMs > 0 ? formatDuration(outMs) : t('none')}
    </Figure>
  )
}

const isUnjudged = (verdict: Verdict) => verdict === 'noLimits' || verdict === 'noData'

/** Zero would read as proof. */
function Unjudged({ label, verdict, column }: { label: string; verdict: Verdict; column?: number }) {
  const { t } = useTranslation('stats')
  return (
    <Figure label={label} column={column}>
      <Value value={null} unit="" size="md" reason={t(`verdict.${verdict}`)} />
    </Figure>
  )
}

function Excursions({ figures: { excursions, verdict } }: { figures: MeasureStats }) {
  const { t } = useTranslation('stats')
  const { count, longest } = excursions
  if (isUnjudged(verdict)) return <Unjudged label={t('excursions')} verdict={verdict} />
  return (
    <Figure
      label={t('excursions')}
      hint={longest ? t('longestHint', { time: formatTime(longest.startAt) }) : undefined}
      note={longest && count > 1 && t('longest', { duration: formatDuration(longest.ms) })}
    >
      {formatNumber(count)}
    </Figure>
  )
}

function Coverage({ figures, since }: { figures: MeasureStats; since: string | null }) {
  const { t } = useTranslation('stats')
  const text = coverageText(figures)
  const gap = gapOf(figures)
  // One reading covers nothing: nobody knows yet for how long it holds.
  const isTooNew = since !== null && figures.count < 2
  if (text === null || isTooNew)
    return (
      <Figure label={t('coverage')} note={isTooNew && t('tooNew')}>
        <Value value={null} unit="%" reason={t(isTooNew ? 'tooNew' : 'noPeriod')} />
      </Figure>
    )
  return (
    <Figure
      label={t('coverage')}
      isWide={since !== null}
      hint={gap ? t('gapHint', formatSpan(gap.from, gap.to)) : t('coverageHint')}
      note={[
        ...(since === null ? [] : [t('sinceSetUp', { time: formatTime(since) })]),
        gap ? t('longestGap', { duration: formatDuration(gap.ms) }) : t('noGap'),
      ].join(' · ')}
    >
      {text}
    </Figure>
  )
}
