import { type Canvas, draw, openCanvas } from './echarts.ts'
import { geometryOf } from './geometry.ts'
import type { ChartLayout, ChartMark, ChartPanel, TimeWindow } from './model.ts'
import { drawnOf, optionOf } from './options.ts'
import { fontFamily, paletteOf } from './palette.ts'
import { writingIn } from './writing.ts'

export interface ImageInput {
  /** Above the chart, then below each other: what was measured, when, in which zone. */
  title: string
  lines: string[]
  panels: readonly ChartPanel[]
  layout: ChartLayout
  marks?: readonly ChartMark[]
  window: TimeWindow
  zone: string
}

const [width, margin, titlePx, linePx] = [1200, 24, 22, 14]
/** Twice the pixels: sharp on paper too. */
const scale = 2

/** The chart as a PNG, dark on white whatever the screen is: it goes into documents. */
export async function chartImage(input: ImageInput): Promise<Blob> {
  const plotHeight = input.layout === 'shared' ? 480 : 300 + 160 * Math.max(0, input.panels.length - 1)
  const headHeight = margin + titlePx + input.lines.length * (linePx + 7) + 14
  const plotWidth = width - 2 * margin
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = (headHeight + plotHeight + margin) * scale
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas to draw on')
  const palette = paletteOf('light')
  pen.scale(scale, scale)
  pen.fillStyle = palette.surface
  pen.fillRect(0, 0, canvas.width, canvas.height)
  await document.fonts.ready
  writeHead(pen, input, palette)
  const drawing = drawPlots(input, plotWidth, plotHeight)
  try {
    pen.drawImage(drawing.getRenderedCanvas({ pixelRatio: scale }), margin, headHeight, plotWidth, plotHeight)
  } finally {
    drawing.dispose()
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/png'),
  )
}

function writeHead(pen: CanvasRenderingContext2D, { title, lines }: ImageInput, palette: ReturnType<typeof paletteOf>) {
  pen.textBaseline = 'top'
  pen.fillStyle = palette.ink
  pen.font = `600 ${titlePx}px ${fontFamily}`
  pen.fillText(title, margin, margin, width - 2 * margin)
  pen.fillStyle = palette.muted
  pen.font = `400 ${linePx}px ${fontFamily}`
  for (const [index, line] of lines.entries())
    pen.fillText(line, margin, margin + titlePx + 10 + index * (linePx + 7), width - 2 * margin)
}

function drawPlots({ panels, layout, marks, window, zone }: ImageInput, plotWidth: number, plotHeight: number): Canvas {
  const geometry = geometryOf(plotWidth, plotHeight, panels.length, layout)
  const drawn = drawnOf({ panels, window, geometry })
  const all = { panels, layout, marks, window, zone, geometry, palette: paletteOf('light'), writing: writingIn(zone) }
  const size = { width: plotWidth, height: plotHeight }
  const canvas = openCanvas(document.createElement('div'), size)
  draw(canvas, optionOf(all, drawn), size)
  return canvas
}
