import { type Group, type GroupTotals, groups } from '@isotherm/contract/groups.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
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
  const value = (number: number | null) => (
    <Value value={number} unit={unit} decimals={decimals} size="md" reason={t('stats.empty')} />
  )
  return (
    <FigureGroup title={title}>
      <Figure label={t('overview.lowest')}>{value(totals.min)}</Figure>
      <Figure label={t('overview.average')}>{value(totals.average)}</Figure>
      <Figure label={t('overview.highest')}>{value(totals.max)}</Figure>
      <Figure label={t('overview.excursions')}>{formatNumber(totals.excursions)}</Figure>
      <Figure label={t('overview.timeOut')}>{formatDuration(totals.aboveMs + totals.belowMs)}</Figure>
      <Figure label={t('overview.readings')}>{formatNumber(totals.readings)}</Figure>
    </FigureGroup>
  )
}
