import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { Paper, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { type Cursor, createCursor } from '../../../charts/cursor.ts'
import { LazyTimeChart } from '../../../charts/lazy-time-chart.tsx'
import type { ChartMark, Measure } from '../../../charts/model.ts'
import { useChartLayout } from '../../../charts/use-chart-layout.ts'
import { useCan } from '../../../lib/can.ts'
import { useSession } from '../../../lib/session.ts'
import { PeriodStats } from '../../../shared/stats/period-stats.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { useChartView } from '../chart-view.ts'
import { useChart } from '../use-chart.ts'
import { ChartChoice, useComparedText } from './chart-choice.tsx'
import { DeviceMap } from './device-map.tsx'
import { HistoryTable } from './history-table.tsx'

interface PeriodViewProps {
  device: Device
  period: Period
  /** Changes when another period is meant, not when the clock moves on: chart and map then start over. */
  periodKey: string
  /** Flags on the chart, such as alarms that fired. */
  marks?: readonly ChartMark[]
  canCompare?: boolean
  /** Makes another period the page's own. */
  onUse?: (period: Period) => void
  /** Where the readings stand elsewhere: the cursor that they share with the chart. */
  cursor?: Cursor
}

/** A device's measurements in a period: chart, figures, path, readings; one cursor for them all. */
export function PeriodView(props: PeriodViewProps) {
  const { device, period, periodKey, marks, canCompare = true, onUse, cursor: given } = props
  const zone = useSession((state) => state.timezone)
  const [own] = useState(createCursor)
  const cursor = given ?? own
  const isPhone = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const layout = useChartLayout()
  const asked = useChartView()
  const view = { ...asked, compare: asked.compare && canCompare }
  const has = (measure: Measure) => view.shown.includes(measure)
  const measures = {
    temperature: has('temperature'),
    humidity: has('humidity'),
    battery: has('battery'),
    light: has('light'),
  }
  const { chart, panels, isOld, error, retry, onZoom } = useChart(device, period, measures, view.compare)
  const mayExport = useCan('devices.export')
  const comparedText = useComparedText(period, zone)
  const more = layout === 'stacked' ? Math.max(0, (panels?.length ?? 1) - 1) : 0
  const height = (isPhone ? 300 : 340) + (more > 0 ? 80 + (more - 1) * 110 : 0)
  return (
    <>
      <Paper className={frames.panel}>
        <ChartChoice view={view} onShow={view.show} chart={chart} canCompare={canCompare} />
        {panels && (
          <Renewing isOld={isOld}>
            <LazyTimeChart
              key={`${device.id} ${periodKey}`}
              panels={panels}
              marks={marks}
              from={Date.parse(period.from)}
              to={Date.parse(period.to)}
              zone={zone}
              cursor={cursor}
              onZoom={onZoom}
              onUse={onUse}
              height={height}
              image={mayExport ? { title: device.name, ...(view.compare ? { note: comparedText } : {}) } : undefined}
            />
          </Renewing>
        )}
        {panels && view.compare && <div className={frames.note}>{comparedText}</div>}
        {!panels && !error && <Skeleton height={height + 28} radius="sm" />}
        {!panels && error && <Failure error={error} onRetry={() => void retry()} />}
      </Paper>
      <PeriodStats key={device.id} deviceId={device.id} period={period} since={device.createdAt} />
      <DeviceMap device={device} period={period} periodKey={periodKey} cursor={cursor} />
      {!given && <HistoryTable device={device} period={period} zone={zone} cursor={cursor} />}
    </>
  )
}
