import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { openStage } from '../e2e/stage.ts'

/** Budgets of issue 2: kilobytes (1000 bytes) after gzip, milliseconds at a CPU four times slower. */
const budgets = { loginJsKb: 190, loginCssKb: 20, loginFcpMs: 500 }
const runs = 5

interface Loaded {
  jsKb: number
  cssKb: number
}

/** Counts what a page loads, compressed by us: what travels (brotli, cache) would flatter. */
function count(page: Page): () => Promise<Loaded> {
  const bodies: Promise<{ kind: string; bytes: number }>[] = []
  page.on('response', (response: Response) => {
    const kind = response.request().resourceType()
    if (kind !== 'script' && kind !== 'stylesheet') return
    bodies.push(response.body().then((body) => ({ kind, bytes: gzipSync(body, { level: 9 }).length })))
  })
  return async () => {
    const all = await Promise.all(bodies)
    const kb = (kind: string) => all.reduce((sum, file) => sum + (file.kind === kind ? file.bytes : 0), 0) / 1000
    return { jsKb: kb('script'), cssKb: kb('stylesheet') }
  }
}

const paintedAt = (page: Page, name: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const entry = list.getEntriesByName(wanted)[0]
          if (entry) resolve(entry.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
    name,
  )

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const stage = await openStage({ LOG_LEVEL: 'info' })
try {
  const loads: Loaded[] = []
  const firstPaints: number[] = []
  const usable: number[] = []
  for (let run = 0; run < runs; run++) {
    const page = await stage.page()
    const loaded = count(page)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto('/login')
    await page.locator('input[type=password]').waitFor()
    usable.push(await page.evaluate(() => performance.now()))
    firstPaints.push(await paintedAt(page, 'first-contentful-paint'))
    await page.waitForLoadState('networkidle')
    loads.push(await loaded())
    await page.context().close()
  }
  const figures = {
    loginJsKb: Math.max(...loads.map((load) => load.jsKb)),
    loginCssKb: Math.max(...loads.map((load) => load.cssKb)),
    loginFcpMs: median(firstPaints),
  }
  for (const [name, budget] of Object.entries(budgets)) {
    const value = figures[name as keyof typeof figures]
    console.log(`${value <= budget ? 'ok  ' : 'OVER'} ${name.padEnd(12)} ${value.toFixed(1)} (at most ${budget})`)
    if (value > budget) process.exitCode = 1
  }
  console.log(`     form usable  ${median(usable).toFixed(0)} ms at 4x slow-down (median of ${runs})`)
} finally {
  await stage.close()
}
