import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { foundCompany, logIn, measure, stockUp } from '../e2e/devices-company.ts'
import { launchBrowser, openStage, type Stage } from '../e2e/stage.ts'
import { judgeRatio } from './pipeline/ratio.ts'

/*
 * The size of what pages load, and the time until the login page shows something, in a browser whose processor is four times
 * slower and that has nothing cached. Milliseconds differ between machines, so the first paint, and the time until the form can
 * be used, are compared with another page of the same run, asked for in turns: the same document, style sheets and scripts, but the
 * scripts are only fetched, and a word is written when the last is there. The ratios are the cost of running our scripts, which is
 * ours to change; an earlier build as the baseline would let the page grow slower by a little each time.
 *
 *   npm run bench -- web
 */

/** Kilobytes (1024 bytes) after gzip. */
const budgets = { loginJsKb: 190, loginCssKb: 20, deviceJsKb: 685 }
const paintBound = { of: 'that of the scripts not run', atMost: 1.5 }
const usableBound = { of: 'the scripts fetched, not run', atMost: 2.5 }
const runs = 9

interface Loaded {
  jsKb: number
  cssKb: number
  scripts: string[]
}

/** Counts what a page loads, workers too, compressed by us: what travels (brotli, cache) would flatter. */
function count(page: Page): () => Promise<Loaded> {
  const bodies: Promise<{ path: string; bytes: number }>[] = []
  const note = (response: Response) => {
    const path = new URL(response.url()).pathname
    if (!/\.(js|css)$/.test(path)) return
    bodies.push(response.body().then((body) => ({ path, bytes: gzipSync(body, { level: 9 }).length })))
  }
  page.context().on('response', note)
  return async () => {
    // A file that comes from now on may be cut off as the page closes.
    page.context().off('response', note)
    const all = new Map((await Promise.all(bodies)).map((file) => [file.path, file.bytes]))
    if (process.env.FILES)
      for (const [path, bytes] of [...all].sort((a, b) => b[1] - a[1]).slice(0, 120)) console.log(bytes, path)
    const kb = (ending: string) =>
      [...all].reduce((sum, [path, bytes]) => sum + (path.endsWith(ending) ? bytes : 0), 0) / 1024
    return { jsKb: kb('.js'), cssKb: kb('.css'), scripts: [...all.keys()].filter((path) => path.endsWith('.js')) }
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

const imei = '490154203237518'

/** Measures what a device's page loads, with chart and map, in a browser that has nothing cached yet. */
async function deviceJsKb(stage: Stage): Promise<number> {
  const page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Bench Ltd', 'admin@bench.test')
  const headers = await logIn(page, 'admin@bench.test')
  const claimed = await page.request.post('/app/api/v1/devices/setup', {
    headers,
    data: { imei, licenceKey: key, name: 'Van 3' },
  })
  const answer = (await claimed.json()) as { payload?: { id: string } }
  if (!answer.payload) throw new Error(JSON.stringify(answer))
  for (const minutesAgo of [9, 6, 3, 0])
    await measure(page, imei, secrets.get(imei) ?? '', {
      at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
      temperatureC: 4 + minutesAgo / 10,
      humidityPct: 60,
      lat: 6.5 + minutesAgo / 100,
      lon: 3.37,
    })
  const storageState = await page.context().storageState()
  await page.context().close()
  const fresh = await stage.page({ storageState })
  const loaded = count(fresh)
  await fresh.goto(`/devices/${answer.payload.id}/details`)
  await fresh.getByRole('region', { name: /Chart from/ }).waitFor()
  await fresh.locator('canvas.maplibregl-canvas').waitFor()
  // The stream of live events never ends, so the network is never idle: a quiet second will do.
  await fresh.waitForTimeout(3_000)
  const { jsKb } = await loaded()
  await fresh.context().close()
  return jsKb
}

/** Serves the login page with its scripts fetched, but not run, and a word when they are there. */
const onlyFetch = (page: Page, scripts: readonly string[]) =>
  page.route('**/login', async (route) => {
    const html = await (await route.fetch()).text()
    const body = html.replace(/<script[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '').replace(
      '</body>',
      `<script type="module">await Promise.all(${JSON.stringify(scripts)}.map(async (path) => (await fetch(path)).text()))
         document.body.insertAdjacentHTML('beforeend', '<p>Here</p>')</script></body>`,
    )
    await route.fulfill({ body, contentType: 'text/html; charset=utf-8' })
  })

const stage = await openStage()
try {
  const loads: Loaded[] = []
  const firstPaints: number[] = []
  const plainPaints: number[] = []
  const usable: number[] = []
  const fetched: number[] = []
  const browser = await launchBrowser({})
  const slowPage = async () => {
    const page = await browser.newPage({ baseURL: stage.base })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    return page
  }
  // The first run is not counted: the server has only just begun, and still makes the tiles of its map.
  for (let run = -1; run < runs; run++) {
    const page = await slowPage()
    const loaded = count(page)
    await page.goto('/login')
    await page.locator('input[type=password]').waitFor()
    const usableAt = await page.evaluate(() => performance.now())
    const firstPaint = await paintedAt(page, 'first-contentful-paint')
    await page.waitForLoadState('networkidle')
    const load = await loaded()
    loads.push(load)
    await page.close()
    const plain = await slowPage()
    await onlyFetch(plain, load.scripts)
    await plain.goto('/login')
    await plain.getByText('Here', { exact: true }).waitFor()
    const fetchedAt = await plain.evaluate(() => performance.now())
    const plainPaint = await paintedAt(plain, 'first-contentful-paint')
    await plain.close()
    if (run < 0) continue
    usable.push(usableAt)
    firstPaints.push(firstPaint)
    plainPaints.push(plainPaint)
    fetched.push(fetchedAt)
  }
  await browser.close()
  const figures = {
    loginJsKb: Math.max(...loads.map((load) => load.jsKb)),
    loginCssKb: Math.max(...loads.map((load) => load.cssKb)),
    deviceJsKb: await deviceJsKb(stage),
  }
  for (const [name, budget] of Object.entries(budgets)) {
    const value = figures[name as keyof typeof figures]
    console.log(`${value <= budget ? 'ok  ' : 'OVER'} ${name.padEnd(12)} ${value.toFixed(1)} (at most ${budget})`)
    if (value > budget) process.exitCode = 1
  }
  for (const [name, ours, theirs, bound] of [
    ['first paint', median(firstPaints), median(plainPaints), paintBound],
    ['form usable', median(usable), median(fetched), usableBound],
  ] as const) {
    const { text, failures } = judgeRatio(name, ours, theirs, bound)
    console.log(
      `${failures.length > 0 ? 'OVER' : 'ok  '} ${name}  ${text}: ${ours.toFixed(0)} and ${theirs.toFixed(0)} ms`,
    )
    if (failures.length > 0) process.exitCode = 1
  }
} finally {
  await stage.close()
}
