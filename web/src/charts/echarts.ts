import { CustomChart } from 'echarts/charts'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([CustomChart, CanvasRenderer])

/** A canvas that draws what options.ts makes; only the parts of ECharts it needs. */
export const openCanvas = (element: HTMLElement, size: { width: number; height: number }) =>
  init(element, null, { renderer: 'canvas', ...size })
export type Canvas = ReturnType<typeof openCanvas>
