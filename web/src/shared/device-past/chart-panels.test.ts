import type { Chart } from '@isotherm/contract/device-history.ts'
import { describe, expect, it } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { panelsOf } from './chart-panels.ts'
import { refined } from './refined.ts'

const range = (values: (number | null)[]) => ({ min: values, avg: values, max: values })
const words = { temperature: 'Temperature', humidity: 'Humidity', battery: 'Battery', light: 'Light' }
const none = { battery: false, light: false }
const limits = { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null }
const chart: Chart = {
  bucketS: 0,
  atMs: [1000, 2000, 3000, 9000],
  temperature: range([4, 5, null, 6]),
  humidity: range([null, null, null, null]),
  batteryPct: [90, 89, null, 88],
  lightLux: null,
  limits: [{ ...limits, from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:10.000Z' }],
  excursions: [
    {
      id: '1',
      measure: 'humidity',
      side: 'above',
      startAt: '1970-01-01T00:00:01.000Z',
      endAt: null,
      peak: 90,
      cause: 'Door open',
      note: 'Left open',
      peakAt: '1970-01-01T00:00:01.000Z',
    },
  ],
  gaps: [],
}

describe('panelsOf', () => {
  it('breaks the line where a null says the device was silent', () => {
    const [temperature] = panelsOf(chart, words, none)
    expect(temperature?.points.map(({ at, afterGap }) => [at, afterGap ?? false])).toEqual([
      [1000, false],
      [2000, false],
      [9000, true],
    ])
  })

  it('has no panel for what the device does not measure', () => {
    expect(panelsOf(chart, words, none).map(({ measure }) => measure)).toEqual(['temperature'])
    expect(panelsOf(chart, words, { battery: true, light: true }).map(({ measure }) => measure)).toEqual([
      'temperature',
      'battery',
    ])
  })

  it('gives each measure its own limits and excursions', () => {
    const [temperature] = panelsOf(chart, words, none)
    expect(temperature?.limits).toEqual([{ from: 0, to: 10_000, min: 2, max: 8 }])
    expect(temperature?.excursions).toEqual([])
    const [, humidity] = panelsOf({ ...chart, humidity: range([50, null, 90, 90]) }, words, none)
    expect(humidity?.excursions).toEqual([{ from: 1000, to: null, side: 'above', said: 'Door open: Left open' }])
  })

  it('says cause and note of an excursion as the language joins them, and one alone as it stands', async () => {
    const said = (over: object) => {
      const excursions = chart.excursions.map((each) => ({ ...each, measure: 'temperature' as const, ...over }))
      return panelsOf({ ...chart, excursions }, words, none)[0]?.excursions[0]?.said
    }
    expect([said({}), said({ note: null }), said({ cause: null }), said({ cause: null, note: null })]).toEqual([
      'Door open: Left open',
      'Door open',
      'Left open',
      '',
    ])
    i18n.language = 'fr'
    expect(said({})).toBe('Door open\u00a0: Left open')
    i18n.language = 'en'
  })

  it('shows an empty temperature panel where there is nothing at all', () => {
    const empty = { ...chart, atMs: [], temperature: range([]), humidity: range([]) }
    expect(panelsOf(empty, words, none)).toMatchObject([{ measure: 'temperature', points: [] }])
  })
})

describe('refined', () => {
  it('puts the finer points in place of the coarse ones of their time', () => {
    const [panel] = panelsOf(chart, words, none)
    const point = (at: number) => ({ at, min: 1, avg: 1, max: 1 })
    const coarse = [{ ...panel!, points: [point(0), point(100), point(200), point(300)] }]
    const fine = [{ ...panel!, points: [point(90), point(95), point(110), point(210)] }]
    expect(refined(coarse, fine)[0]?.points.map(({ at }) => at)).toEqual([0, 90, 95, 110, 210, 300])
    expect(refined(coarse, [])).toEqual(coarse)
  })
})
