import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { TimeChartProps } from './time-chart.tsx'
import { useChartLayout } from './use-chart-layout.ts'

const load = () => import('./time-chart.tsx').then(({ TimeChart }) => ({ default: TimeChart }))
const Chart = lazy(load)

/** Fetches ECharts while what it will draw is still asked for. Where that fails, the chart tries again and says so. */
export const preloadTimeChart = () => void load().catch(() => undefined)

/** The chart as the company's chart settings want it, with ECharts fetched when first needed; keeps its place meanwhile. */
export const LazyTimeChart = (props: Omit<TimeChartProps, 'layout'>) => {
  const layout = useChartLayout()
  return (
    <Suspense fallback={<Skeleton height={(props.height ?? 380) + 28} radius="sm" />}>
      <Chart {...props} layout={layout} />
    </Suspense>
  )
}
