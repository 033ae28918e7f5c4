import type { Period } from '@isotherm/contract/common.ts'
import { type ExcursionFigures, excursions } from '@isotherm/contract/excursions.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, measureDecimals } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Figure, FigureGroup, FigureStrip } from '../../../shared/stats/figures.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { Value } from '../../../ui/value.tsx'

/** How often, how long and how far: of both measures together, and of each that was out. Nothing where none was. */
export function ExcursionSummary({ deviceId, period }: { deviceId: string; period: Period }) {
  const { t } = useTranslation('excursions')
  const answer = useCall(excursions.summary, { params: { id: deviceId }, query: period }, { keepPrevious: true })
  const { data } = answer
  if (!data)
    return (
      <FigureStrip label={t('summary')}>
        {answer.error ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Skeleton height={104} />
        )}
      </FigureStrip>
    )
  if (data.count === 0) return null
  const out = [data.temperature, data.humidity].filter(({ count }) => count > 0)
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <FigureStrip label={t('summary')}>
        {out.length > 1 && (
          <FigureGroup title={t('all')}>
            <Count count={data.count} open={data.temperature.open + data.humidity.open} />
            <Figure label={t('timeOut')}>{formatDuration(data.outMs)}</Figure>
          </FigureGroup>
        )}
        {out.map((figures) => (
          <MeasureFigures key={figures.measure} figures={figures} />
        ))}
      </FigureStrip>
    </Renewing>
  )
}

function Count({ count, open }: { count: number; open: number }) {
  const { t } = useTranslation('excursions')
  return (
    <Figure label={t('count')} note={open > 0 && t('ongoing', { count: open })}>
      {formatNumber(count)}
    </Figure>
  )
}

function MeasureFigures({ figures }: { figures: ExcursionFigures }) {
  const { t } = useTranslation('excursions')
  const { measure, longest } = figures
  return (
    <FigureGroup title={t(`measure.${measure}`)}>
      <Count count={figures.count} open={figures.open} />
      <Figure label={t('timeOut')}>{formatDuration(figures.aboveMs + figures.belowMs)}</Figure>
      {longest && (
        <Figure label={t('longest')} hint={t('began', { time: formatTime(longest.startAt) })}>
          {formatDuration(longest.ms)}
        </Figure>
      )}
      <Peak measure={measure} side="highest" peak={figures.highest} />
      <Peak measure={measure} side="lowest" peak={figures.lowest} />
    </FigureGroup>
  )
}

interface PeakProps {
  measure: ExcursionFigures['measure']
  side: 'highest' | 'lowest'
  peak: ExcursionFigures['highest']
}

function Peak({ measure, side, peak }: PeakProps) {
  const { t } = useTranslation('excursions')
  if (!peak) return null
  const unit = measure === 'temperature' ? '°C' : '%'
  const tone = measure === 'humidity' ? 'warning' : side === 'highest' ? 'warm' : 'cold'
  return (
    <Figure label={t(side)} hint={t('reached', { time: formatTime(peak.at) })}>
      <Value value={peak.value} unit={unit} decimals={measureDecimals(measure, peak.value)} size="md" tone={tone} />
    </Figure>
  )
}
