import { expect, test } from 'vitest'
import { flagMarks, markedAt, saidAt } from './flags.ts'
import { geometryOf } from './geometry.ts'
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
