import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Draw, Drawing, Drawn } from '../../web/bench/draws.ts'
import { answerOf } from './answer.ts'
import { median } from './median.ts'
import { buildPages, openPage } from './pages.ts'

export interface Measured extends Drawn {
  cpuMs: number
}
export interface ComponentFigures {
  ours: Measured
  bare: Measured
  empty: Measured
}

/**
 * The app's chart handed `count` readings of two measures, which the server never sends it; medians of `rounds`, each in a
 * page that has drawn nothing yet. Beside it ECharts' own lines of the same values, and our chart without any.
 */
export async function measureComponent(browser: Browser, count: number, rounds: number): Promise<ComponentFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-chart-'))
  try {
    await buildPages(folder)
    const to = Math.floor(Date.now() / 180_000) * 180_000
    const answer = answerOf(count, to)
    const none: number[] = []
    const nothing = { min: none, avg: none, max: none }
    const full = JSON.stringify(answer)
    const empty = JSON.stringify({ ...answer, atMs: none, temperature: nothing, humidity: nothing, excursions: [] })
    const found = { ours: [] as Measured[], bare: [] as Measured[], empty: [] as Measured[] }
    const draws = [
      () => drawn(browser, folder, 'ours', full).then((each) => found.ours.push(each)),
      () => drawn(browser, folder, 'bare', full).then((each) => found.bare.push(each)),
      () => drawn(browser, folder, 'ours', empty).then((each) => found.empty.push(each)),
    ]
    // In turns: what else the machine does weighs on all of them.
    for (let round = 0; round < rounds; round++) for (const draw of draws) await draw()
    return { ours: middle(found.ours), bare: middle(found.bare), empty: middle(found.empty) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const middle = (all: Measured[]): Measured => ({
  workedMs: median(all.map(({ workedMs }) => workedMs)),
  shownMs: median(all.map(({ shownMs }) => shownMs)),
  cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
})

async function drawn(browser: Browser, folder: string, what: Drawing, answer: string): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1366, height: 800 } })
  await openPage(page, folder, 'index.html')
  await page.waitForFunction(() => 'draws' in window)
  await page.evaluate((text) => Object.assign(window, { answer: text }), answer)
  const cpu = await mainThread(page)
  const before = await cpu()
  const result = await page.evaluate((name) => {
    const { draws, answer: text } = window as unknown as { draws: Record<string, Draw>; answer: string }
    const draw = draws[name]
    if (!draw) throw new Error(`nothing draws ${name}`)
    return draw(text)
  }, what)
  const cpuMs = (await cpu()) - before
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${what}-${answer.length}.png`) })
  await page.close()
  return { ...result, cpuMs }
}

/** Time that the page's main thread has computed since its beginning, ms: waiting for a core of a busy machine does not count. */
async function mainThread(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
}
