import { expect, test } from 'vitest'
import { sampleReadings } from './samples.ts'
import { type Begun, type SampleKind, type ScenarioKind, scenarios, within } from './scenarios.ts'

const began = new Date(Date.UTC(2026, 9, 30, 8))
const home = { lat: -1.28, lon: 36.82 }
const minute = 60_000

function during(kind: ScenarioKind, device: SampleKind = scenarios[kind].device) {
  const begun: Begun[] = [{ kind, at: began }]
  const until = new Date(began.getTime() + (scenarios[kind].lengthMin + 60) * minute)
  const after = new Date(began.getTime() - 60 * minute)
  return sampleReadings(device, { after, until }, 300, home).map((plain) => {
    const { reading, sentAt } = within(begun, device, plain, home)
    return {
      plain,
      reading,
      sentMin: (sentAt - began.getTime()) / minute,
      min: (Date.parse(plain.at) - began.getTime()) / minute,
    }
  })
}

test.each(Object.keys(scenarios) as ScenarioKind[])(
  '%s changes nothing before, after, and of other devices',
  (kind) => {
    const { device, lengthMin } = scenarios[kind]
    for (const { plain, reading, sentMin, min } of during(kind))
      if (min < 0 || min > lengthMin) expect([reading, sentMin]).toEqual([plain, min])
    const other = device === 'van' ? 'fridge' : 'van'
    for (const { plain, reading } of during(kind, other)) expect(reading).toEqual(plain)
  },
)

test.each([
  ['doorOpen', 12, 17],
  ['powerCut', 9, 15],
  ['freezerFails', -6, 3],
] as const)('%s warms its device as far as it says, and it is cool again at the end', (kind, from, to) => {
  const all = during(kind)
  const warmest = Math.max(...all.map(({ reading }) => reading.temperatureC))
  expect(warmest).toBeGreaterThan(from)
  expect(warmest).toBeLessThan(to)
  const last = all.filter(({ min }) => min <= scenarios[kind].lengthMin).at(-1)
  expect((last?.reading.temperatureC ?? 99) - (last?.plain.temperatureC ?? 0)).toBeLessThan(0.5)
})

test('a power cut keeps readings back for two hours, and they come together', () => {
  for (const { sentMin, min } of during('powerCut')) expect(sentMin).toBe(min >= 0 && min < 120 ? 120 : min)
})

test('the van drives some kilometres and is back in its yard', () => {
  const way = during('vanRoute').filter(({ min }) => min >= 0 && min <= 60)
  const far = way.map(({ reading: { lat = 0, lon = 0 } }) => Math.hypot(lat - home.lat, lon - home.lon) * 111)
  expect(Math.max(...far)).toBeGreaterThan(5)
  expect(far[0]).toBeLessThan(1.5)
  expect(far.at(-1)).toBeLessThan(2)
})
