import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { foundCompany, logIn, measure, password, stockUp } from '../e2e/devices-company.ts'
import { launchBrowser, openStage } from '../e2e/stage.ts'
import { judgeRatio } from './pipeline/ratio.ts'

/*
 * A phone with nothing cached on a line of 50 KB/s with 400 ms: how long until the login form can be used, until the dashboard shows
 * its figures, and until it does after somebody has typed their password for 8 s. The baseline is the line itself: the time that as
 * many bytes as the dashboard needs take in one answer. What is above it are rounds of requests and our own code.
 * The requests that were begun by then are counted, and for the dashboard those of the map and whatever else comes after the figures.
 *
 *   npm run bench -- slow-line
 */

const line = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const bounds = {
  login: { of: 'the bytes of the dashboard in one answer', atMost: 0.4 },
  dashboard: { of: 'the same bytes in one answer', atMost: 1.6 },
  afterTyping: { of: 'the bytes of the dashboard in one answer', atMost: 1 },
}
const shiftBound = 0.05
const maxRequests = { login: 15, dashboard: 20 }
const runs = 3
const typingMs = 8_000
/** The dashboard says so of a fleet without a fault. */
const figures = 'All well'
const imei = '490154203237518'
const email = 'admin@bench.test'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function slowPage(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  let bytes = 0
  const asked: Request[] = []
  let figuresAt = Number.POSITIVE_INFINITY
  page.on('request', (request) => void (request.url().startsWith('http') && asked.push(request)))
  // Told by the page itself: by the time that Playwright sees the figures, the map has begun.
  await page.exposeFunction('figuresShown', (at: number) => {
    figuresAt = at
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript((words) => {
    const sum = window as unknown as { shift: number }
    sum.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) sum.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    const watch = new MutationObserver(() => {
      if (!document.body?.textContent.includes(words)) return
      watch.disconnect()
      void (window as unknown as { figuresShown(at: number): void }).figuresShown(Date.now())
    })
    watch.observe(document, { childList: true, subtree: true, characterData: true })
  }, figures)
  const pathsOf = (requests: Request[]) => requests.map((request) => new URL(request.url()).pathname)
  const loaded = () => ({
    asked: pathsOf(asked),
    beforeFigures: pathsOf(asked.filter((request) => request.timing().startTime < figuresAt)),
    bytes,
  })
  return { page, context, loaded }
}

const figuresAreThere = (page: Page) => page.getByText(figures).first().waitFor()
const passwordField = (page: Page) => page.locator('input[type=password]')

const stage = await openStage()
try {
  const { request } = await stage.page()
  const page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, request, 'Bench Ltd', email)
  const headers = await logIn(page, email)
  await page.request.post('/app/api/v1/devices/setup', { headers, data: { imei, licenceKey: key, name: 'Van 3' } })
  const now = new Date().toISOString()
  await measure(page, imei, secrets.get(imei) ?? '', { at: now, temperatureC: 4, humidityPct: 60, lat: 6.5, lon: 3.37 })
  const storageState = await page.context().storageState()
  const browser = await launchBrowser({ maps: true })
  const ms: Record<'login' | 'dashboard' | 'afterTyping', number[]> = { login: [], dashboard: [], afterTyping: [] }
  const shifts: number[] = []
  const bytesOfDashboard: number[] = []
  const requests: Record<'login' | 'dashboard' | 'all', number[]> = { login: [], dashboard: [], all: [] }
  for (let run = 0; run < runs; run++) {
    const guest = await slowPage(browser, { baseURL: stage.base })
    let began = performance.now()
    await guest.page.goto('/login', { waitUntil: 'commit' })
    await passwordField(guest.page).waitFor()
    ms.login.push(performance.now() - began)
    requests.login.push(guest.loaded().asked.length)
    await guest.page.waitForTimeout(typingMs)
    await guest.page.locator('input[type=email]').fill(email)
    await passwordField(guest.page).fill(password)
    began = performance.now()
    await guest.page.keyboard.press('Enter')
    await figuresAreThere(guest.page)
    ms.afterTyping.push(performance.now() - began)
    await guest.context.close()
    const known = await slowPage(browser, { baseURL: stage.base, storageState })
    began = performance.now()
    await known.page.goto('/dashboard', { waitUntil: 'commit' })
    await figuresAreThere(known.page)
    ms.dashboard.push(performance.now() - began)
    bytesOfDashboard.push(known.loaded().bytes)
    await known.page.waitForTimeout(typingMs)
    const { asked, beforeFigures } = known.loaded()
    if (process.env.FILES)
      console.log(asked.toSpliced(beforeFigures.length, 0, '-- the figures are there --').join('\n'))
    requests.dashboard.push(beforeFigures.length)
    requests.all.push(asked.length)
    shifts.push(await known.page.evaluate(() => (window as unknown as { shift: number }).shift))
    await known.context.close()
  }
  await browser.close()
  const bytes = bytesOfDashboard.at(-1) ?? 0
  // Two rounds: one for the page, one for the answer that it asks for.
  const plainMs = 2 * line.latency + (bytes / line.downloadThroughput) * 1000
  const judged = Object.entries(bounds).map(([name, bound]) => {
    const figure = median(ms[name as keyof typeof ms])
    const { text, failures } = judgeRatio(name, figure, plainMs, bound)
    console.log(`${name}: ${Math.round(figure)} ms, ${text}`)
    return failures
  })
  const counts = { login: Math.max(...requests.login), dashboard: Math.max(...requests.dashboard) }
  console.log(
    `requests: ${counts.login} before the login form, ${counts.dashboard} before the figures of the dashboard, ${Math.max(...requests.all)} with its map`,
  )
  console.log(`dashboard: ${Math.round(bytes / 1024)} KB; layout shift ${Math.max(...shifts).toFixed(4)}`)
  const failures = [
    ...(['login', 'dashboard'] as const)
      .filter((name) => counts[name] > maxRequests[name])
      .map((name) => `${name}: ${counts[name]} requests (${maxRequests[name]} allowed)`),
    ...judged.flat(),
    ...(Math.max(...shifts) < shiftBound
      ? []
      : [`the layout shifts by ${Math.max(...shifts)} (less than ${shiftBound})`]),
  ]
  if (failures.length > 0) {
    console.error(`FAILED\n${failures.join('\n')}`)
    process.exitCode = 1
  }
} finally {
  await stage.close()
}
