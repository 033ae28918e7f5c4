import { describe, expect, it } from 'vitest'
import { axisMarks } from './axes.ts'
import { marksOf } from './drawing.ts'
import { geometryOf } from './geometry.ts'
import type { ChartPanel } from './model.ts'
import { drawnOf, optionOf } from './options.ts'
import { paletteOf } from './palette.ts'
import type { Domain } from './scale.ts'
import { summaryOf } from './summary.ts'

const hour = 3_600_000
const window = { from: 0, to: 24 * hour }
const panel = (measure: ChartPanel['measure'], value: (hour: number) => number): ChartPanel => ({
  measure,
  label: measure,
  unit: measure === 'temperature' ? '°C' : '%',
  decimals: 1,
  points: Array.from({ length: 25 }, (_, index) => ({
    at: index * hour,
    min: value(index),
    avg: value(index),
    max: value(index),
  })),
  limits: [{ from: 0, to: 24 * hour, min: 2, max: 8 }],
  excursions: [],
})
const panels = [panel('temperature', (h) => (h === 12 ? 11 : 5)), panel('humidity', () => 60)]
const writing = { number: String, clock: String, day: String }
const inputFor = (layout: 'stacked' | 'shared', of = panels) => ({
  panels: of,
  layout,
  window,
  zone: 'UTC',
  geometry: geometryOf(800, 400, of.length, layout),
  palette: paletteOf('light'),
  writing,
})

const textsOf = (layout: 'stacked' | 'shared', of = panels) => {
  const input = inputFor(layout, of)
  return axisMarks(input, drawnOf(input)).flatMap((mark) => (mark.type === 'text' ? [mark] : []))
}

describe('axisMarks', () => {
  it('gives each measure a plot and an axis of its own where they are stacked', () => {
    const names = textsOf('stacked').filter((mark) => mark.style.text?.includes('('))
    expect(names.map((mark) => mark.style.text)).toEqual(['temperature (°C)', 'humidity (%)'])
    expect(names[1]!.y).toBeGreaterThan(names[0]!.y + 100)
  })

  it('puts the second axis at the right of one plot where they are shared', () => {
    const names = textsOf('shared').filter((mark) => mark.style.text?.includes('('))
    expect(names[1]!.y).toBe(names[0]!.y)
    expect(names[1]!.x).toBeGreaterThan(700)
  })

  it('writes the names of the axes at the right beside each other', () => {
    const four = [...panels, panel('battery', () => 90), panel('light', () => 5)]
    const [, humidity, battery, light] = textsOf('shared', four).filter((mark) => mark.style.text?.includes('('))
    const begins = (name: typeof light) => name!.x! - 6 * name!.style.text!.length
    expect(begins(light)).toBeGreaterThan(battery!.x!)
    expect(begins(battery)).toBeGreaterThan(humidity!.x!)
  })

  it('writes the time once, below the last plot', () => {
    const times = textsOf('stacked').filter((mark) => mark.style.verticalAlign === 'top')
    expect(times.length).toBeGreaterThan(4)
    expect(new Set(times.map((mark) => mark.y)).size).toBe(1)
  })
})

describe('optionOf', () => {
  it('moves nothing by itself', () => {
    const input = inputFor('stacked')
    expect(optionOf(input, drawnOf(input)).animation).toBe(false)
  })

  it('draws no light below darkness, and no drama of one percent of a battery', () => {
    const input = {
      ...inputFor('stacked'),
      panels: [panel('light', (h) => h * 8), panel('battery', (h) => 100 - (h % 2))],
    }
    const [light, battery] = drawnOf({ ...input, panels: input.panels.map((each) => ({ ...each, limits: [] })) })
    expect(light?.domain.min).toBe(0)
    expect(battery?.domain).toMatchObject({ min: 90, max: 100 })
  })

  it('keeps percentages between 0 and 100', () => {
    const wet = { ...inputFor('stacked'), panels: [panel('humidity', () => 99.5)] }
    expect(drawnOf(wet)[0]?.domain.max).toBe(100)
  })
})

describe('marksOf', () => {
  it('draws what is outside in the colour of its side, over the curve', () => {
    const input = inputFor('stacked')
    const [drawn] = drawnOf(input)
    const box = input.geometry.plots[0]
    const marks = drawn && box ? marksOf({ ...drawn, box, window, palette: input.palette, limitText: String }) : []
    expect(marks.filter((mark) => mark.type !== 'text').at(-1)).toMatchObject({
      type: 'polyline',
      style: { stroke: input.palette.side.above },
    })
    expect(marks.filter((mark) => mark.type === 'text').map((mark) => mark.style.text)).toEqual(['8', '2'])
  })

  it('keeps the figures of a limit inside of the panel, at its other side where there is no room', () => {
    const input = inputFor('stacked', [panel('temperature', () => -20)])
    const [drawn] = drawnOf(input)
    const box = input.geometry.plots[0]
    if (!drawn || !box) throw new Error('nothing drawn')
    const heights = (domain: Domain) =>
      marksOf({ ...drawn, domain, box, window, palette: input.palette, limitText: String }).flatMap((mark) =>
        mark.type === 'text' ? [[mark.style.verticalAlign, mark.y]] : [],
      )
    const y = (value: number) => box.top + ((10 - value) / 10) * box.height
    expect(heights({ min: 0, max: 10, step: 2 })).toEqual([
      ['bottom', y(8) - 3],
      ['top', y(2) + 3],
    ])
    const edge = (value: number) => box.top + ((8.1 - value) / 6.2) * box.height
    expect(heights({ min: 1.9, max: 8.1, step: 2 })).toEqual([
      ['top', expect.closeTo(edge(8) + 3)],
      ['bottom', expect.closeTo(edge(2) - 3)],
    ])
  })

  it('lays the period before under the curve as a quiet dashed line, which the axis makes room for', () => {
    const [now] = panels
    if (!now) throw new Error('no panel')
    const previous = now.points.map((point) => ({ ...point, min: 0, avg: 14, max: 99 }))
    const input = { ...inputFor('stacked'), panels: [{ ...now, previous }] }
    const [drawn] = drawnOf(input)
    const box = input.geometry.plots[0]
    if (!drawn || !box) throw new Error('nothing drawn')
    expect(drawn.domain.max).toBeGreaterThanOrEqual(14)
    expect(drawn.domain.max).toBeLessThan(30)
    const marks = marksOf({ ...drawn, box, window, palette: input.palette, limitText: String })
    const lines = marks.filter((mark) => mark.type === 'polyline')
    const dashed = lines.findIndex((mark) => mark.style.stroke === input.palette.muted)
    expect(lines[dashed]?.style.lineDash).toBeDefined()
    expect(dashed).toBeLessThan(
      lines.findIndex((mark) => mark.style.stroke === input.palette.line.temperature && !mark.style.lineDash),
    )
  })
})

describe('summaryOf', () => {
  it('says the least, the greatest and when', () => {
    const [temperature] = panels
    expect(temperature && summaryOf(temperature, window)).toMatchObject({
      min: 5,
      max: 11,
      maxAt: 12 * hour,
      count: 25,
    })
    expect(temperature && summaryOf(temperature, { from: 50 * hour, to: 60 * hour })).toBeNull()
  })
})
