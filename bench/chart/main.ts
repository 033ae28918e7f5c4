import { launchBrowser, openStage } from '../../e2e/stage.ts'
import { type Measured, measureComponent } from './component.ts'
import { measureWholeWay } from './whole-way.ts'

/*
 * How long a chart takes from its answer being there until it is on the screen, in a Chromium without the flags that maps need:
 *
 * - The app's chart handed 50,000 readings of temperature and humidity at once. The server never sends it so many, it answers
 *   in 1,200 buckets; this is what the chart itself can do. Beside it ECharts' own two lines of the same values, and our chart
 *   of none. Fails above 250 ms (issue 3).
 * - The whole way on a device's page whose last 30 days have 518,400 readings: the answer, and from then on the same.
 *
 *   npm run bench -- chart [--points 50000] [--rounds 7]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [points, rounds] = [option('points', 50_000), option('rounds', 7)]
const budgetMs = 250

const ms = (value: number) => `${value.toFixed(0)} ms`
const line = (name: string, { shownMs, workedMs, cpuMs }: Measured, of?: Measured) =>
  console.log(
    `${name.padEnd(44)}shown after ${ms(shownMs).padStart(7)}, drawn after ${ms(workedMs).padStart(7)}, main thread ${ms(cpuMs).padStart(7)}${of ? `: ${(shownMs / of.shownMs).toFixed(2)} and ${(cpuMs / of.cpuMs).toFixed(2)} times ECharts' own` : ''}`,
  )

const browser = await launchBrowser({})
try {
  const { ours, bare, empty } = await measureComponent(browser, points, rounds)
  line(`our chart, ${points} readings, two measures`, ours, bare)
  line(`ECharts' own lines of them`, bare)
  line('our chart of none', empty, bare)
  const isKept = ours.shownMs < budgetMs
  console.log(`${isKept ? 'ok' : 'MISSED'} (${budgetMs} ms)`)
  if (!isKept) process.exitCode = 1
  const stage = await openStage()
  try {
    const page = await browser.newPage({ baseURL: stage.base, viewport: { width: 1366, height: 800 } })
    const { van, empty: none } = await measureWholeWay(stage, page, rounds)
    const times = (a: number, b: number) => `${(a / b).toFixed(2)} times`
    console.log(
      `device page, 30 days of 518,400 readings: answer after ${ms(van.answerMs)}, painted ${ms(van.paintMs)} later; ${times(van.answerMs, none.answerMs)} and ${times(van.paintMs, none.paintMs)} a device without any (${ms(none.answerMs)}, ${ms(none.paintMs)})`,
    )
    await page.close()
  } finally {
    await stage.close()
  }
} finally {
  await browser.close()
}
