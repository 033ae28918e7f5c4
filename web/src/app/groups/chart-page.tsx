import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import { type Group, type GroupChart, groupLimits, groups } from '@isotherm/contract/groups.ts'
import { MultiSelect, Paper, SegmentedControl, Skeleton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import { maxColours, useLineColours } from '../../charts/line-colours.ts'
import { LineLegend } from '../../charts/line-legend.tsx'
import { PeriodBar } from '../../features/devices/parts/period-bar.tsx'
import { usePeriod } from '../../features/devices/use-period.ts'
import { GroupReportMenu } from '../../features/group-reports/parts/group-report-menu.tsx'
import { IssuedGroupReports } from '../../features/group-reports/parts/issued-group-reports.tsx'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import { Renewing } from '../../ui/renewing.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import shared from '../overview.module.css'
import { panelOf } from './chart-panel.ts'
import classes from './groups.module.css'
import { StatsTable } from './stats-table.tsx'

export function GroupChartPage() {
  const { period } = usePeriod()
  return (
    <GroupFrame actions={(group) => <GroupReportMenu group={group} period={period} />}>
      {(group) => <View key={group.id} group={group} />}
    </GroupFrame>
  )
}

function View({ group }: { group: Group }) {
  const zone = useSession((state) => state.timezone)
  const { chosen, period, choose, onUse } = usePeriod()
  const [measure, setMeasure] = useState<Measure>('temperature')
  const periodKey = chosen.preset === 'custom' ? `${period.from} ${period.to}` : chosen.preset
  return (
    <div className={shared.stack}>
      <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
      <Chart
        group={group}
        period={period}
        periodKey={periodKey}
        measure={measure}
        onMeasure={setMeasure}
        onUse={onUse}
      />
      <StatsTable group={group} period={period} measure={measure} />
      <IssuedGroupReports groupId={group.id} />
    </div>
  )
}

interface ChartProps {
  group: Group
  period: Period
  periodKey: string
  measure: Measure
  onMeasure: (measure: Measure) => void
  onUse: (period: Period) => void
}

function Chart({ group, period, periodKey, measure, onMeasure, onUse }: ChartProps) {
  const { t } = useTranslation('groups')
  const zone = useSession((state) => state.timezone)
  const mayExport = useCan('groups.export')
  const phone = usePhone()
  const [chosen, setChosen] = useState<string[]>([])
  const colours = useLineColours(chosen)
  const answer = useCall(
    groups.chart,
    { params: { id: group.id }, query: { ...period, measure } },
    { keepPrevious: true },
  )
  const { data } = answer
  const name = t(`overview.${measure}`)
  const panels = useMemo(() => data && [panelOf(data, period, name, colours)], [data, period, name, colours])
  return (
    <Paper className={`${shared.panel} ${classes.padded}`}>
      <div className={classes.bar}>
        <SegmentedControl
          size="sm"
          aria-label={t('chart.measure')}
          value={measure}
          onChange={(value) => onMeasure(value === 'humidity' ? 'humidity' : 'temperature')}
          data={(['temperature', 'humidity'] as const).map((value) => ({ value, label: t(`overview.${value}`) }))}
        />
        {data && data.lines.length > 0 && (
          <MultiSelect
            size="sm"
            w={{ base: '100%', sm: 320 }}
            label={t('chart.choose')}
            placeholder={chosen.length === 0 ? t('chart.none') : undefined}
            searchable
            clearable
            maxValues={maxColours}
            data={data.lines.map(({ deviceId, name: label }) => ({ value: deviceId, label }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
      </div>
      {panels && (
        <Renewing isOld={answer.isPlaceholderData}>
          <LazyTimeChart
            key={`${group.id} ${periodKey} ${measure}`}
            panels={panels}
            from={Date.parse(period.from)}
            to={Date.parse(period.to)}
            zone={zone}
            onUse={onUse}
            height={phone ? 300 : 420}
            {...(mayExport && { image: { title: t('chart.image', { group: group.name, measure: name }) } })}
          />
          {data && (
            <LineLegend
              label={t('chart.chosen')}
              lines={data.lines.flatMap(({ deviceId, name: own }) => {
                const colour = colours.get(deviceId)
                return colour ? [{ id: deviceId, name: own, colour }] : []
              })}
            />
          )}
          {data && <Note chart={data} />}
        </Renewing>
      )}
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!data && !answer.error && <Skeleton height={420} />}
    </Paper>
  )
}

function Note({ chart }: { chart: GroupChart }) {
  const { t } = useTranslation('groups')
  return (
    <p className={shared.small}>
      {chart.devices > groupLimits.lines
        ? t('chart.bandOnly', { limit: groupLimits.lines })
        : t('chart.mean', { count: chart.devices })}
    </p>
  )
}
