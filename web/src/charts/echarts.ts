import { CustomChart } from 'echarts/charts'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { TimeChartOption } from './options.ts'

use([CustomChart, CanvasRenderer])

interface Size {
  width: number
  height: number
}

/** A canvas that draws what options.ts makes; only the parts of ECharts it needs. */
export const openCanvas = (element: HTMLElement, size: Size) => init(element, null, { renderer: 'canvas', ...size })
export type Canvas = EChartsType

/** Shows this drawing and nothing of the one before, at once. The size is in CSS pixels. */
export function draw(canvas: EChartsType, option: TimeChartOption, size: Size) {
  // ECharts draws everything again when it is resized, also to the same size.
  if (canvas.getWidth() !== size.width || canvas.getHeight() !== size.height) canvas.resize(size)
  canvas.setOption(option, { notMerge: true })
}
