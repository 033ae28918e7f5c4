import { type Group, type GroupTotals, groups } from '@isotherm/contract/groups.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, percentDecimals } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import { Figure, FigureGroup, FigureStrip } from '../../../shared/stats/figures.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Value } from '../../../ui/value.tsx'

/** The totals of the group's last 24 hours. */
export function TotalsStrip({ group }: { group: Group }) {
  const { t } = useTranslation('groups')
  const answer = useCall(groups.stats, { params: { id: group.id } }, { refetchMs: 60_000 })
  const { data } = answer
  return (
    <FigureStrip label={t('overview.figures')}>
      {data && <Totals title={t('overview.temperature')} unit="°C" decimals={1} totals={data.temperature} />}
      {data && data.humidity.readings > 0 && (
        <Totals title={t('overview.humidity')} unit="%" decimals={0} totals={data.humidity} />
      )}
      {!data && !answer.error && <Skeleton height={92} />}
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
    </FigureStrip>
  )
}

interface TotalsProps {
  title: string
  unit: string
  decimals: number
  totals: GroupTotals
}

export function Totals({ title, unit, decimals, totals }: TotalsProps) {
  const { t } = useTranslation('groups')
  const value = (number: number | null, places = decimals) => (
    <Value value={number} unit={unit} decimals={places} size="md" reason={t('stats.empty')} />
  )
  // Beside time out of range, no extreme is rounded to a limit.
  const isOut = totals.aboveMs + totals.belowMs > 0
  const extreme = (number: number | null) =>
    value(number, isOut && number !== null ? Math.max(decimals, percentDecimals(number)) : decimals)
  return (
    <FigureGroup title={title}>
      <Figure label={t('overview.lowest')}>{extreme(totals.min)}</Figure>
      <Figure label={t('overview.average')}>{value(totals.average)}</Figure>
      <Figure label={t('overview.highest')}>{extreme(totals.max)}</Figure>
      <Figure label={t('overview.excursions')}>{formatNumber(totals.excursions)}</Figure>
      <Figure label={t('overview.timeOut')}>{formatDuration(totals.aboveMs + totals.belowMs)}</Figure>
      <Figure label={t('overview.readings')}>{formatNumber(totals.readings)}</Figure>
    </FigureGroup>
  )
}
