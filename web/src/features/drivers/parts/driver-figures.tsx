import { drivers } from '@isotherm/contract/drivers.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import { Figure, FigureGroup, FigureStrip } from '../../../shared/stats/figures.tsx'
import { Failure } from '../../../ui/failure.tsx'

/** A driver's trips in figures. */
export function DriverFigures({ driverId }: { driverId: string }) {
  const { t } = useTranslation('drivers')
  const { data, error, refetch } = useCall(drivers.summary, { params: { id: driverId } }, { refetchMs: 60_000 })
  return (
    <FigureStrip label={t('summary.title')}>
      {data && (
        <FigureGroup title={t('summary.title')}>
          <Figure label={t('summary.trips')}>{formatNumber(data.trips)}</Figure>
          <Figure label={t('summary.completed')}>{formatNumber(data.completed)}</Figure>
          <Figure label={t('summary.underWay')}>{formatNumber(data.underWay)}</Figure>
          <Figure label={t('summary.late')}>{formatNumber(data.late)}</Figure>
          <Figure label={t('summary.timeSpent')}>{formatDuration(data.timeSpentS * 1000)}</Figure>
        </FigureGroup>
      )}
      {!data && !error && <Skeleton height={92} />}
      {!data && error && <Failure error={error} onRetry={() => void refetch()} />}
    </FigureStrip>
  )
}
