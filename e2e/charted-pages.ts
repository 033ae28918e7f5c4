import type { BrowserContext, Locator, Page } from 'playwright-core'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import type { Stage } from './stage.ts'

const imeis = ['490154203237518', '356938035643809'] as const
const stepMs = 1_800_000
const dayMs = 86_400_000

/** Numbers between 0 and 1, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    /** One of the choices. */
    of: <T>(choices: readonly [T, ...T[]]): T => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}
export type Random = ReturnType<typeof randomOf>

export interface Charted {
  /** Its clock stands still, so that two loads ask for the same periods. */
  context: BrowserContext
  /** When that is, ms since 1970. */
  now: number
  /** Pages with a chart. */
  paths: Record<'device' | 'report' | 'group' | 'record' | 'alarm', string>
  /** Sends a reading of the first device. */
  send(celsius: number): Promise<void>
}

/** Devices hold only what was measured since they were set up: as if that had been at `since`, ms. */
export const backdate = (stage: Stage, since: number): Promise<void> =>
  stage.inDatabase(async (client) => {
    const columns = {
      devices: 'created_at',
      assignments: 'valid_from',
      device_limits: 'valid_from',
      device_intervals: 'valid_from',
    }
    for (const [table, column] of Object.entries(columns)) {
      await client.query('begin')
      await client.query(`alter table ${table} no force row level security`)
      await client.query(`update ${table} set ${column} = $1`, [new Date(since)])
      const subject = table === 'assignments' ? `'imei:' || imei` : `'company:' || company_id`
      await client.query(`insert into settings_changes (subject) select distinct ${subject} from ${table}`)
      await client.query('set constraints all immediate')
      await client.query(`alter table ${table} force row level security`)
      await client.query('commit')
    }
  })

/** A company whose two fridges have measured for 31 days, with a group, a record and an alarm of them. */
export async function openCharted(stage: Stage, email: string): Promise<Charted> {
  const page = await stage.page()
  const context = page.context()
  const { key, secrets } = await stockUp(stage, [...imeis])
  await foundCompany(stage, page.request, 'Charts Ltd', email)
  const headers = await logIn(page, email)
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const made = async (path: string, data: object): Promise<string> => {
    const answer = await page.request.post(`/app/api/v1/${path}`, { headers, data })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: { id: string } }).payload.id
  }
  const ids: string[] = []
  for (const [index, imei] of imeis.entries()) {
    const name = `Fridge ${index + 1}`
    ids.push(
      await made('devices/setup', {
        ...{ imei, licenceKey: key, name, intervalS: stepMs / 1000 },
        limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: 70 },
      }),
    )
  }
  await backdate(stage, now - 40 * dayMs)
  for (const [at, imei] of imeis.entries()) {
    const readings = Array.from({ length: 31 * 48 }, (_, index) => ({
      at: new Date(now - 31 * dayMs + index * stepMs).toISOString(),
      temperatureC: 5 + at + 3.4 * Math.sin(index / 9) + 0.6 * Math.sin(index * 1.7),
      humidityPct: 55 + 20 * Math.sin(index / 14),
      batteryPct: 100 - (index % 60),
      lightLux: index % 40 < 4 ? 300 : 0,
    }))
    for (let from = 0; from < readings.length; from += 500) {
      const answer = await page.request.post(`/app/api/v1/ingest/${imei}`, {
        headers: { authorization: `Bearer ${secrets.get(imei)}` },
        data: { readings: readings.slice(from, from + 500) },
      })
      const taken = (await answer.json()) as { payload?: { accepted: number } }
      if (!taken.payload?.accepted) throw new Error(`no reading was taken: ${JSON.stringify(taken)}`)
    }
  }
  const group = await made('groups', { name: 'Store', deviceIds: ids })
  const record = await made('enterprise/record', {
    ...{ name: 'March', deviceIds: ids },
    startAt: new Date(now - 20 * dayMs).toISOString(),
    endAt: new Date(now - 2 * dayMs).toISOString(),
  })
  const alarm = await made('alarms', {
    ...{ name: 'Too warm', severity: 'critical', deviceIds: ids, rule: { kind: 'value', temperatureMaxC: 8 } },
    recipients: [{ email: 'guard@charts.test' }],
  })
  await page.close()
  await context.clock.setFixedTime(now)
  return {
    context,
    now,
    paths: {
      device: `/devices/${ids[0]}/details`,
      report: `/devices/report/${ids[0]}`,
      group: `/groups/${group}/group-chart`,
      record: `/records/${record}`,
      alarm: `/alarms/${alarm}/details`,
    },
    async send(celsius) {
      const sender = await context.newPage()
      await measure(sender, imeis[0], secrets.get(imeis[0]) ?? '', {
        at: new Date(now).toISOString(),
        ...{ temperatureC: celsius, humidityPct: 50, batteryPct: 50, lightLux: 0 },
      })
      await sender.close()
    },
  }
}

const charts = (page: Page) => page.locator('section[aria-roledescription=chart]')

/** Every pixel of the page's charts; empty while something is loading. */
export async function picturesOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.querySelector('[aria-busy=true], [role=status][aria-label]')) return []
    const found = document.querySelectorAll<HTMLCanvasElement>('section[aria-roledescription] canvas')
    return [...found].map((canvas) => `${canvas.width} ${canvas.height} ${canvas.toDataURL()}`)
  })
}

async function drag(page: Page, from: number, to: number) {
  const chart = charts(page).first()
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (!box) return
  const x = (share: number) => box.x + 50 + share * (box.width - 80)
  await page.mouse.move(x(from), box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(x(to), box.y + box.height / 2, { steps: 2 })
  await page.mouse.up()
  await page.mouse.move(1, 1)
}

/** Presses what is seen of these, in the moment it is found: while a page loads, what was there may be gone before a click by the mouse. */
const press = (found: Locator, which: 'first' | 'all') =>
  found.filter({ visible: true }).evaluateAll((elements, which) => {
    for (const element of which === 'all' ? elements : elements.slice(0, 1)) (element as HTMLElement).click()
  }, which)

async function showAll(page: Page) {
  await press(page.getByRole('button', { name: 'Show the whole period' }), 'all')
  await page.mouse.move(1, 1)
}

const buttons = ['Temperature', 'Humidity', 'Battery', 'Light', 'Compare with the period before'] as const
const periods = ['24 h', '7 days', '30 days'] as const

/** The switches of any charted page; those that a page lacks are left out. */
const switches: Record<string, (page: Page, random: Random) => Promise<void>> = {
  async measure(page, random) {
    await press(page.getByRole('button', { name: random.of(buttons), exact: true }), 'first')
  },
  async period(page, random) {
    await press(page.locator('main label').getByText(random.of(periods), { exact: true }), 'first')
  },
  async 'measure of all'(page, random) {
    await press(page.locator('main label').getByText(random.of(['Temperature', 'Humidity']), { exact: true }), 'first')
  },
  async zoom(page, random) {
    const [a, b] = [random.next(), random.next()]
    if (await charts(page).first().isVisible()) await drag(page, Math.min(a, b), Math.max(a, b))
  },
  'show all': showAll,
  async theme(page, random) {
    await page.emulateMedia({ colorScheme: random.of(['light', 'dark']) })
  },
  async size(page, random) {
    const { width, height } = page.viewportSize() ?? { width: 1366, height: 800 }
    const next = width < 700 ? random.of([390, 360, 430]) : random.of([1366, 1180, 900])
    await page.setViewportSize({ width: next, height })
  },
}

export interface Sequence {
  names: string[]
  isSame: boolean
}

/**
 * Ten random switches on a page, then the same address in a page that has shown nothing: are their charts alike, to the
 * pixel? What stands in no address is put back first; every third time both are zoomed alike at the end.
 */
export async function driveSwitches(
  context: BrowserContext,
  path: string,
  seed: number,
  count = 10,
): Promise<Sequence> {
  const random = randomOf(seed)
  const used = await context.newPage()
  const fresh = await context.newPage()
  try {
    await used.goto(path)
    await charts(used).first().waitFor()
    const names: string[] = []
    for (let step = 0; step < count; step++) {
      const name = random.of(Object.keys(switches) as [string, ...string[]])
      names.push(name)
      await switches[name]?.(used, random)
    }
    await showAll(used)
    await backToUsual(used, path)
    const size = used.viewportSize()
    if (size) await fresh.setViewportSize(size)
    const isDark = await used.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
    await fresh.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
    await fresh.goto(used.url())
    await charts(fresh).first().waitFor()
    if (random.next() < 0.33) {
      for (const page of [used, fresh]) while ((await picturesOf(page)).length === 0) await page.waitForTimeout(50)
      for (const page of [used, fresh]) await drag(page, 0.2, 0.6)
      names.push('zoom both')
    }
    return { names, isSame: await becomeAlike(used, fresh) }
  } finally {
    await used.close()
    await fresh.close()
  }
}

/** The measure of a group, and the period of an alarm's chart, are in no address. */
async function backToUsual(page: Page, path: string) {
  if (/^\/(groups|records)\//.test(path))
    await page.locator('main label').getByText('Temperature', { exact: true }).first().click()
  if (path.startsWith('/alarms/')) await page.locator('main label').getByText('7 days', { exact: true }).first().click()
  await page.mouse.move(1, 1)
}

/** Waits for both to have loaded and to show the same; false where that does not come. */
export async function becomeAlike(one: Page, other: Page, waitMs = 40_000): Promise<boolean> {
  for (const end = Date.now() + waitMs; Date.now() < end; ) {
    const [a, b] = [await picturesOf(one), await picturesOf(other)]
    if (a.length > 0 && a.length === b.length && a.every((picture, index) => picture === b[index])) return true
    await one.waitForTimeout(100)
  }
  return false
}
