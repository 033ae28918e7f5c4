import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import { type Group, type GroupStats, groups } from '@isotherm/contract/groups.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Totals } from '../../features/groups/parts/totals-strip.tsx'
import { useCan } from '../../lib/can.ts'
import { formatNumber, measureDecimals } from '../../lib/numbers.ts'
import { useCall } from '../../lib/query.ts'
import { formatDuration } from '../../lib/times.ts'
import { CoverageCell } from '../../shared/stats/coverage-cell.tsx'
import { FigureStrip } from '../../shared/stats/figures.tsx'
import type { Column } from '../../ui/list/column.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { useListParams } from '../../ui/list/use-list-params.ts'
import { Renewing } from '../../ui/renewing.tsx'
import { StateDot, type Tone } from '../../ui/state-dot.tsx'
import { Value } from '../../ui/value.tsx'

type Row = GroupStats['data'][number]
const units = { temperature: { unit: '°C', decimals: 1 }, humidity: { unit: '%', decimals: 0 } } as const

/** Every device's statistics of the period, and the group's. */
export function StatsTable({ group, period, measure }: { group: Group; period: Period; measure: Measure }) {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const mayOpen = useCan('devices.view')
  const params = useListParams()
  const query = { page: params.page, perPage: Math.min(50, params.perPage) }
  const answer = useCall(
    groups.devicesOf,
    { params: { id: group.id, type: measure }, query, body: period },
    { keepPrevious: true },
  )
  const columns = useColumns(measure)
  return (
    <>
      {answer.data && (
        <Renewing isOld={answer.isPlaceholderData}>
          <FigureStrip label={t('stats.group')}>
            <Totals title={t('stats.group')} {...units[measure]} totals={answer.data.totals} />
          </FigureStrip>
        </Renewing>
      )}
      <ListView
        label={t('stats.title')}
        answer={answer}
        params={params}
        columns={columns}
        rowId={({ device }) => device.id}
        rowName={({ device }) => device.name}
        {...(mayOpen && {
          onOpen: ({ device }: Row) =>
            void navigate({ to: '/devices/$deviceId/details', params: { deviceId: device.id } }),
        })}
        empty={{ title: t('overview.noDevices') }}
      />
    </>
  )
}

function useColumns(measure: Measure): Column<Row>[] {
  const { t } = useTranslation(['groups', 'stats'])
  const { unit, decimals } = units[measure]
  const value = (number: number | null | undefined, reason = t('stats.empty')) => (
    <Value value={number} unit={unit} decimals={decimals} size="sm" reason={reason} />
  )
  // Beyond its limits, no value is rounded to them.
  const extreme = (point: MeasureStats['min']) =>
    point?.judgement === 'above' || point?.judgement === 'below' ? (
      <Value value={point.value} unit={unit} decimals={measureDecimals(measure, point.value)} size="sm" />
    ) : (
      value(point?.value)
    )
  return [
    { key: 'device', title: t('stats.device'), render: ({ device }) => <b>{device.name}</b> },
    { key: 'verdict', title: t('stats.verdict'), render: ({ stats }) => <Verdict stats={stats} /> },
    { key: 'min', title: t('stats.lowest'), align: 'right', render: ({ stats }) => extreme(stats.min) },
    { key: 'average', title: t('stats.average'), align: 'right', render: ({ stats }) => value(stats.average) },
    { key: 'max', title: t('stats.highest'), align: 'right', render: ({ stats }) => extreme(stats.max) },
    ...(measure === 'temperature'
      ? [
          {
            key: 'mkt',
            title: t('stats.mkt'),
            align: 'right',
            hideBelow: 1100,
            render: ({ stats }: Row) => value(stats.mkt?.valueC, t(`stats:mktNone.${stats.mkt?.reason ?? 'noData'}`)),
          } as const,
        ]
      : []),
    {
      key: 'out',
      title: t('stats.out'),
      align: 'right',
      // Zero would read as proof where there was nothing to judge, or to judge by.
      render: ({ stats }) =>
        stats.verdict === 'noData' || stats.verdict === 'noLimits'
          ? value(null, t(`stats:verdict.${stats.verdict}`))
          : formatDuration(stats.aboveMs + stats.belowMs),
    },
    {
      key: 'coverage',
      title: t('stats.coverage'),
      align: 'right',
      render: ({ stats }) => <CoverageCell stats={stats} />,
    },
    {
      key: 'count',
      title: t('stats.readings'),
      align: 'right',
      hideBelow: 820,
      render: ({ stats }) => formatNumber(stats.count),
    },
  ]
}

const tones: Record<MeasureStats['verdict'], Tone> = {
  inRange: 'ok',
  incomplete: 'warning',
  outOfRange: 'warm',
  noLimits: 'none',
  noData: 'none',
}

function Verdict({ stats: { verdict, aboveMs, belowMs } }: { stats: MeasureStats }) {
  const { t } = useTranslation('stats')
  const tone = verdict === 'outOfRange' && belowMs > aboveMs ? 'cold' : tones[verdict]
  return <StateDot tone={tone} label={t(`verdict.${verdict}`)} />
}
