import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { TimeChartProps } from './time-chart.tsx'

const Chart = lazy(() => import('./time-chart.tsx').then(({ TimeChart }) => ({ default: TimeChart })))

/** The chart, with ECharts fetched when first needed; keeps its place meanwhile. */
export const LazyTimeChart = (props: TimeChartProps) => (
  <Suspense fallback={<Skeleton height={(props.height ?? 380) + 28} radius="sm" />}>
    <Chart {...props} />
  </Suspense>
)
