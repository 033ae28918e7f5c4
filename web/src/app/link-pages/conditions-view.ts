import { judgedPercentDecimals, percentDecimals } from '@isotherm/contract/decimals.ts'
import type { StopChart, StopConditions } from '@isotherm/contract/order-links.ts'
import { shownCoverage, shownLeftPct, shownMinutesMs } from '@isotherm/contract/shown-figures.ts'
import { h, s } from './dom.ts'
import { celsius, clock, duration, percent, t, time } from './words.ts'

/** The colour of a verdict, which is never its only sign. */
export const toneOf = ({ verdict, worst, limits }: StopConditions): string => {
  if (verdict === 'inRange') return 'ok'
  if (verdict !== 'outOfRange') return verdict === 'incomplete' ? 'warning' : 'none'
  return worst && limits.min !== null && worst.temperatureC < limits.min ? 'cold' : 'warm'
}

/** The range that goods must stay in. */
export const rangeOf = ({ min, max }: StopConditions['limits'], written: (value: number) => string): string | null => {
  if (min !== null && max !== null) return `${written(min)} – ${written(max)}`
  if (max !== null) return `≤ ${written(max)}`
  return min === null ? null : `≥ ${written(min)}`
}

const exactPercent = (value: number) => percent(value, percentDecimals(value))

/** The humidity, where it left its limits, in the words of a page. */
export const humidityFacts = (
  page: 'receiverPage' | 'shipmentPage',
  humidity: StopConditions['humidity'],
  zone: string,
): [string, string | null][] =>
  humidity
    ? [
        [
          t(`${page}:conditions.humidityWorst`),
          `${percent(humidity.worstPct, judgedPercentDecimals(humidity.worstPct, humidity.limits))}, ${time(humidity.at, zone)}`,
        ],
        [t(`${page}:conditions.humidityLimits`), rangeOf(humidity.limits, exactPercent)],
        [t(`${page}:conditions.humidityOut`), duration(shownMinutesMs(humidity.outMs))],
      ]
    : []

/** The verdict in a word, the one number, and what else speaks for the goods. */
export function conditionsView(conditions: StopConditions, chart: StopChart | null, zone: string): HTMLElement {
  const { now, worst, outMs, coveragePct, budget, limits } = conditions
  const left = budget && shownLeftPct(budget)
  const facts: [string, string | null][] = [
    ...humidityFacts('receiverPage', conditions.humidity, zone),
    [t('receiverPage:conditions.limits'), rangeOf(limits, celsius)],
    [t('receiverPage:conditions.worst'), worst && `${celsius(worst.temperatureC)}, ${time(worst.at, zone)}`],
    [t('receiverPage:conditions.out'), duration(shownMinutesMs(outMs))],
    [t('receiverPage:conditions.coverage'), coveragePct === null ? null : exactPercent(shownCoverage(coveragePct))],
    [
      t('receiverPage:conditions.budget'),
      budget && (left === null ? t(`receiverPage:budget.${budget.state}`) : exactPercent(left)),
    ],
  ]
  return h(
    'section',
    { class: 'card conditions', 'data-tone': toneOf(conditions) },
    h('h2', {}, t('receiverPage:conditions.title')),
    h('p', { class: 'verdict' }, t(`receiverPage:verdict.${conditions.verdict}`)),
    now && h('p', { class: 'number' }, celsius(now.temperatureC)),
    now && h('p', { class: 'dim' }, t('receiverPage:conditions.at', { time: time(now.at, zone) })),
    chart && chartView(chart, conditions, zone),
    h('dl', {}, ...facts.flatMap(([name, text]) => (text === null ? [] : [h('dt', {}, name), h('dd', {}, text)]))),
  )
}

const [width, height] = [320, 96]

/** Lowest and highest temperatures through time, with the limits as lines. */
function chartView({ atMs, minC, maxC }: StopChart, { limits }: StopConditions, zone: string): HTMLElement | null {
  const points = atMs.flatMap((at, index) => {
    const [low, high] = [minC[index] ?? null, maxC[index] ?? null]
    return low === null || high === null ? [] : [{ at, low, high }]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const lines = [limits.min, limits.max].filter((value) => value !== null)
  const values = [...points.flatMap(({ low, high }) => [low, high]), ...lines]
  const [least, most] = [Math.min(...values) - 0.5, Math.max(...values) + 0.5]
  const x = (at: number) => ((at - first.at) / (last.at - first.at)) * width
  const y = (value: number) => height - ((value - least) / (most - least)) * height
  const along = (of: 'low' | 'high', list = points) =>
    list.map((one) => `${x(one.at).toFixed(1)},${y(one[of]).toFixed(1)}`).join(' ')
  const band = `${along('high')} ${along('low', [...points].reverse())}`
  const label = t('receiverPage:conditions.chart', {
    ...{ from: clock(new Date(first.at).toISOString(), zone), to: clock(new Date(last.at).toISOString(), zone) },
    ...{
      low: celsius(Math.min(...points.map(({ low }) => low))),
      high: celsius(Math.max(...points.map(({ high }) => high))),
    },
  })
  return h(
    'figure',
    {},
    s(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
      ...lines.map((value) => s('line', { x1: 0, x2: width, y1: y(value), y2: y(value), class: 'limit' })),
      s('polygon', { points: band, class: 'band' }),
      s('polyline', { points: along('high'), class: 'line' }),
      s('polyline', { points: along('low'), class: 'line' }),
    ),
    h(
      'figcaption',
      { class: 'dim ends' },
      h('span', {}, clock(new Date(first.at).toISOString(), zone)),
      h('span', {}, clock(new Date(last.at).toISOString(), zone)),
    ),
  )
}
