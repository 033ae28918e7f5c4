import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draw } from './echarts.ts'
import { geometryOf } from './geometry.ts'
import type { ChartPanel, Measure } from './model.ts'
import { drawnOf, optionOf } from './options.ts'
import { paletteOf } from './palette.ts'

use([SVGRenderer])

const hourMs = 3_600_000
const measures: Measure[] = ['temperature', 'humidity', 'battery', 'light']
const writing = { number: String, clock: String, day: String }

/** The pictures that a chart may be switched to. */
const picture = fc.record({
  shown: fc.subarray(measures, { minLength: 1 }),
  layout: fc.constantFrom('stacked' as const, 'shared' as const),
  scheme: fc.constantFrom('light' as const, 'dark' as const),
  fromHour: fc.integer({ min: 0, max: 20 }),
  hours: fc.integer({ min: 1, max: 48 }),
  width: fc.constantFrom(320, 390, 900),
  height: fc.constantFrom(240, 420),
  level: fc.integer({ min: 0, max: 12 }),
  isCompared: fc.boolean(),
  others: fc.nat({ max: 3 }),
  marks: fc.nat({ max: 4 }),
})
type Picture = typeof picture extends fc.Arbitrary<infer P> ? P : never

const pointsOf = (level: number) =>
  Array.from({ length: 49 }, (_, hour) => {
    const avg = level + Math.sin(hour / 3) * 4
    return { at: hour * hourMs, min: avg - 0.5, avg, max: avg + 0.5, afterGap: hour % 17 === 0 }
  })

function panelOf(measure: Measure, { level, isCompared, others }: Picture): ChartPanel {
  return {
    measure,
    label: measure,
    unit: '°C',
    decimals: 1,
    points: pointsOf(level),
    limits: measure === 'battery' ? [] : [{ from: 0, to: 48 * hourMs, min: 2, max: 8 }],
    excursions: level > 6 ? [{ from: 2 * hourMs, to: 5 * hourMs, side: 'above' }] : [],
    others: Array.from({ length: others }, (_, index) => ({
      name: `Fridge ${index}`,
      points: pointsOf(level + index),
      ...(index === 1 && { colour: '#0b6e66' }),
    })),
    ...(isCompared ? { previous: pointsOf(level - 1) } : {}),
  }
}

function drawPicture(canvas: Parameters<typeof draw>[0], shown: Picture) {
  const { width, height, layout, scheme, fromHour, hours } = shown
  const panels = shown.shown.map((measure) => panelOf(measure, shown))
  const input = {
    panels,
    layout,
    marks: Array.from({ length: shown.marks }, (_, index) => ({
      at: (fromHour + index) * hourMs,
      tone: 'critical' as const,
      label: `Alarm ${index}`,
    })),
    window: { from: fromHour * hourMs, to: (fromHour + hours) * hourMs },
    zone: 'UTC',
    geometry: geometryOf(width, height, panels.length, layout),
    palette: paletteOf(scheme),
    writing,
  }
  draw(canvas, optionOf(input, drawnOf(input)), { width, height })
}

const open = () => init(null, null, { renderer: 'svg', ssr: true, width: 600, height: 300 })
/** The drawing, without the names that ECharts numbers from drawing to drawing. */
const seen = (canvas: ReturnType<typeof open>) => canvas.renderToSVGString().replace(/zr\d+-c(ls-)?\d+/g, 'name')

test('after any switches a chart shows what a fresh one shows (UX1)', () => {
  fc.assert(
    fc.property(fc.array(picture, { minLength: 2, maxLength: 10 }), (switches) => {
      const used = open()
      for (const each of switches) drawPicture(used, each)
      const fresh = open()
      drawPicture(fresh, switches.at(-1) as Picture)
      try {
        expect(seen(used)).toBe(seen(fresh))
      } finally {
        used.dispose()
        fresh.dispose()
      }
    }),
    { numRuns: 60 },
  )
})
