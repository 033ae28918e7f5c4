import type { Chart } from '@isotherm/contract/device-history.ts'
import { LineChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([LineChart, GridComponent, CanvasRenderer])

/** ECharts' own drawing of the same values, given no more than it must be: two lines with their axes. */
export function drawBareLines(element: HTMLElement, { atMs, temperature, humidity }: Chart, height: number) {
  const line = (values: (number | null)[], index: number) => ({
    type: 'line' as const,
    xAxisIndex: index,
    yAxisIndex: index,
    showSymbol: false,
    data: values.map((value, at) => [atMs[at] ?? 0, value]),
  })
  init(element, null, { width: element.clientWidth, height }).setOption({
    animation: false,
    grid: [{ bottom: '50%' }, { top: '60%' }],
    xAxis: [0, 1].map((gridIndex) => ({ type: 'time' as const, gridIndex })),
    yAxis: [0, 1].map((gridIndex) => ({ type: 'value' as const, gridIndex, scale: true })),
    series: [temperature.avg, humidity.avg].map(line),
  })
}
