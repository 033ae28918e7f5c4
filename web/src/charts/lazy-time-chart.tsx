import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { TimeChartProps } from './time-chart.tsx'

const load = () => import('./time-chart.tsx').then(({ TimeChart }) => ({ default: TimeChart }))
const Chart = lazy(load)

/** Fetches ECharts while what it will draw is still asked for. Where that fails, the chart tries again and says so. */
export const preloadTimeChart = () => void load().catch(() => undefined)

/** The chart, with ECharts fetched when first needed; keeps its place meanwhile. */
export const LazyTimeChart = (props: TimeChartProps) => (
  <Suspense fallback={<Skeleton height={(props.height ?? 380) + 28} radius="sm" />}>
    <Chart {...props} />
  </Suspense>
)
