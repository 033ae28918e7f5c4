import { expect, test } from 'vitest'
import { axisMarks } from './axes.ts'
import { flagMarks, markedAt, saidAt } from './flags.ts'
import { geometryOf } from './geometry.ts'
import { drawnOf } from './options.ts'
import { paletteOf } from './palette.ts'

const hour = 3_600_000
const mark = (hours: number, tone: 'warning' | 'critical' = 'warning') => ({
  at: hours * hour,
  tone,
  label: `${hours} h`,
})
const input = {
  panels: [],
  layout: 'stacked' as const,
  window: { from: 0, to: 24 * hour },
  zone: 'UTC',
  geometry: geometryOf(800, 400, 2, 'stacked'),
  palette: paletteOf('light'),
  writing: { number: String, clock: String, day: String },
}

test('a mark is a line through all plots and a flag above the first; outside the window there is none', () => {
  const drawn = flagMarks({ ...input, marks: [mark(12), mark(30)] })
  expect(drawn.map(({ type }) => type)).toEqual(['polyline', 'polygon'])
  const [line] = drawn
  const [top, bottom] = line?.type === 'polyline' ? line.shape.points : []
  expect(top?.[1]).toBe(input.geometry.plots[0]?.top)
  expect(bottom?.[1]).toBeGreaterThan(input.geometry.plots[1]?.top ?? 0)
})

test('marks that lie together share a flag with their number, critical where one of them is', () => {
  const drawn = flagMarks({ ...input, marks: [mark(12.2), mark(12, 'critical'), mark(12.1), mark(18)] })
  expect(drawn.map((each) => (each.type === 'text' ? each.style.text : each.type))).toEqual([
    ...['polyline', 'polygon', '3'],
    ...['polyline', 'polygon'],
  ])
  expect(drawn[1]?.style.fill).toBe(input.palette.mark.critical)
})

test('many flags on a narrow chart have short lines, which leave the curve free', () => {
  const geometry = geometryOf(360, 300, 1, 'stacked')
  const lengths = (count: number) =>
    flagMarks({ ...input, geometry, marks: Array.from({ length: count }, (_, n) => mark((n * 24) / count)) }).flatMap(
      (each) =>
        each.type === 'polyline' ? [Number(each.shape.points[1]?.[1]) - Number(each.shape.points[0]?.[1])] : [],
    )
  const height = geometry.plots[0]?.height ?? 0
  expect(lengths(4)).toEqual(Array(4).fill(height))
  const many = lengths(20)
  expect(many.length).toBeLessThanOrEqual(13)
  expect(Math.max(...many)).toBeLessThan(10)
})

test('the name of the first plot stands above its flags', () => {
  const panel = { measure: 'temperature' as const, label: 'Temperature', unit: '°C', decimals: 1 }
  const panels = [{ ...panel, points: [], limits: [], excursions: [] }]
  const all = { ...input, panels, marks: [mark(1)], geometry: geometryOf(360, 300, 1, 'stacked') }
  const name = axisMarks(all, drawnOf(all)).find(
    (each) => each.type === 'text' && each.style.text === 'Temperature (°C)',
  )
  const flag = flagMarks(all).find(({ type }) => type === 'polygon')
  const top = flag?.type === 'polygon' ? Math.min(...flag.shape.points.map(([, y]) => y)) : 0
  // Half of the letters' height and of the line around the flag.
  expect(name?.type === 'text' && name.y + 6).toBeLessThan(top - 1)
})

test('critical flags are full, warnings hollow: not by colour alone', () => {
  const fill = (tone: 'warning' | 'critical') => flagMarks({ ...input, marks: [mark(1, tone)] })[1]?.style.fill
  expect(fill('critical')).toBe(input.palette.mark.critical)
  expect(fill('warning')).toBe(input.palette.surface)
})

test('a pointer means the nearest marks within its reach, three at most', () => {
  const marks = [mark(1), mark(2), mark(3), mark(4), mark(20)]
  expect(markedAt(marks, 3 * hour, 2 * hour).map(({ label }) => label)).toEqual(['3 h', '2 h', '4 h'])
  expect(markedAt(marks, 12 * hour, hour)).toEqual([])
})

test('an instant has the words of the excursions that it lies in', () => {
  const excursion = (from: number, to: number | null, said?: string) => ({ from, to, side: 'above' as const, said })
  const excursions = [excursion(0, 10, 'Door open'), excursion(10, 20), excursion(30, null, 'Power cut')]
  const panel = {
    measure: 'temperature' as const,
    label: '',
    unit: '',
    decimals: 1,
    points: [],
    limits: [],
    excursions,
  }
  expect([5, 10, 15, 25, 40].map((at) => saidAt(panel, at))).toEqual([['Door open'], [], [], [], ['Power cut']])
})
