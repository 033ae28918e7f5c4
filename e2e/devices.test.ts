import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { Page, Request, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, stockUp, taken } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const van = '490154203237518'
/** Its check digit is wrong: so are those of real trackers. */
const odd = '490154203237519'
const admin = 'admin@devices.test'
const stranger = 'admin@stranger.test'

let stage: Stage
let page: Page
let staffPage: Page
let key: string
let secrets: Map<string, string>
let codes: Map<string, string>
let vanId: string
let headers: Record<string, string>

const send = (imei: string, reading: Record<string, unknown>) => measure(page, imei, secrets.get(imei) ?? '', reading)

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1', CLAIM_CODES: 'on' })
  page = await stage.page()
  ;({ key, codes, secrets } = await stockUp(stage, [van]))
  await foundCompany(stage, page.request, 'Devices Ltd', admin)
  headers = await logIn(page, admin)
  staffPage = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam Staff', role: 'staff' }))
})
afterAll(() => stage?.close())

test('an empty company is told what to do next, and led there', async () => {
  await page.goto('/devices')
  await page.waitForURL('**/devices/device-overview')
  await page.getByText('No devices yet').waitFor()
  await page.getByRole('link', { name: 'Set up a device' }).first().click()
  await page.waitForURL('**/devices/setupdevice/new')
})

test('a number with a wrong check digit warns, and can be overridden', async () => {
  await page.getByLabel('IMEI', { exact: true }).fill(odd)
  await page.getByText('The last digit does not fit the others').waitFor()
  expect(await page.getByLabel('The label says exactly this number').isVisible()).toBe(true)
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('IMEI', { exact: true }).fill('49-015420-323751-8')
  await expect.poll(() => page.getByText('The last digit does not fit the others').count()).toBe(0)
})

test('a device is claimed by the link of its label and a licence key; the code leaves the address bar (H2)', async () => {
  const code = codes.get(van) ?? ''
  await page.goto(`/devices/setupdevice/new?from=label#imei=${van}&code=${code}`)
  const field = page.getByLabel('Code on the label')
  await expect.poll(() => field.inputValue()).toBe(code)
  expect(await page.getByLabel('IMEI', { exact: true }).inputValue()).toBe(van)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/devices/setupdevice/new')
  await expect.poll(() => page.url()).not.toContain(code)
  await field.fill('ABCD-EFGH-JKMN')
  await page.getByRole('button', { name: 'Add device' }).click()
  await page.getByText('This is no code of a label').waitFor()
  await field.fill(code.toLowerCase().replaceAll('-', ''))
  await page.getByLabel('Licence key').fill(key)
  await page.getByText('This key is good.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Van 3')
  await page.getByLabel('Tag', { exact: true }).fill('Lagos')
  await page.getByRole('button', { name: 'Add device' }).click()
  await page.getByText('Device added').waitFor()
  await page.waitForURL('**/devices/*/details')
  vanId = page.url().match(/devices\/(\d+)\//)?.[1] ?? ''
  expect(vanId).not.toBe('')
  await page.getByText('Awaiting first reading').waitFor()
})

test('a reading sent by HTTP appears in the list by itself', async () => {
  await page.goto('/devices/device-overview')
  await page.getByText('Awaiting first reading').first().waitFor()
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))
  await send(van, { temperatureC: 4.3, humidityPct: 61, batteryPct: 88, lat: 6.5244, lon: 3.3792 })
  const row = page.getByRole('row', { name: /Van 3/ })
  await row.getByText('4.3').waitFor()
  await row.getByText('In range').waitFor()
  await send(van, { temperatureC: 9.4, humidityPct: 60, batteryPct: 88 })
  await row.getByText('9.4').waitFor()
  await row.getByText('Too warm').waitFor()
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true)
})

test('the details follow too: value, readings and chart', async () => {
  await page.goto(`/devices/${vanId}/details`)
  await page.getByRole('region', { name: /Chart from/ }).waitFor()
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))
  await send(van, { temperatureC: 11.7, humidityPct: 59 })
  await page.getByLabel('Now', { exact: true }).getByText('11.7').waitFor()
  await page.getByRole('table', { name: 'Readings' }).getByText('11.7').waitFor()
  await page.getByRole('region', { name: /highest 11\.7/ }).waitFor()
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true)
})

test('the chart zooms by keys and by dragging, and shows all again', async () => {
  const chart = page.getByRole('region', { name: /Chart from/ })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('+')
  const whole = page.getByRole('button', { name: 'Show the whole period' })
  await whole.click()
  await whole.waitFor({ state: 'detached' })
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + 90, { steps: 5 })
  await page.mouse.up()
  await whole.waitFor()
  await page.mouse.dblclick(box.x + box.width * 0.6, box.y + 80)
  await whole.waitFor({ state: 'detached' })
})

test('a zoomed part becomes the period of the whole page, and "back" undoes that (UX19)', async () => {
  const chart = page.getByRole('region', { name: /Chart from/ })
  const before = page.url()
  await chart.focus()
  await page.keyboard.press('+')
  await page.getByText('The rest of the page is of the whole period').waitFor()
  expect(page.url()).toBe(before)
  // Those of the period before may be asked for again at any time, because a reading has come.
  const asked = new Set<string | null>()
  const note = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/stats')) asked.add(searchParams.get('to'))
  }
  page.on('request', note)
  await page.getByRole('button', { name: 'Use this period' }).click()
  await page.waitForURL(/from=.*&to=/)
  const { searchParams } = new URL(page.url())
  await expect.poll(() => [...asked]).toContain(searchParams.get('to'))
  page.off('request', note)
  await page.getByRole('button', { name: 'Show', exact: true }).waitFor()
  await expect.poll(() => page.getByText('The rest of the page is of the whole period').count()).toBe(0)
  await page.goBack()
  await page.waitForURL(before)
  await expect.poll(() => page.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0)
})

test('the chart shows battery when asked, compares with the period before, and goes into an image', async () => {
  const chart = page.getByRole('region', { name: /Chart from/ })
  await page.getByRole('button', { name: 'Battery', exact: true }).click()
  await page.waitForURL(/measures=temperature%2Chumidity%2Cbattery/)
  await page.getByRole('region', { name: /Battery: lowest 88/ }).waitFor()
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  await page.getByText('Light: no values in this period.').waitFor()
  await page.getByRole('button', { name: 'Humidity', exact: true }).click()
  await page.getByRole('button', { name: 'Compare with the period before' }).click()
  await page.getByText('Dashed: the period before').waitFor()
  await page.reload()
  await page.getByRole('region', { name: /Battery: lowest 88/ }).waitFor()
  expect(await chart.getAttribute('aria-label')).not.toContain('Humidity')
  await page.getByText('Dashed: the period before').waitFor()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the chart as an image' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toMatch(/^Van-3-\d{4}-\d\d-\d\d\.png$/)
  const png = await readFile(await file.path())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBe(2400)
  await page.goto(`/devices/${vanId}/details`)
  await page.getByRole('region', { name: /Humidity: lowest/ }).waitFor()
})

test('a period that ends before it starts is refused in the agreed words; a good one goes to the URL', async () => {
  await page.getByText('Custom', { exact: true }).click()
  await page.getByLabel(/^Start/).fill('2026-11-20T10:00')
  await page.getByLabel(/^End/).fill('2026-11-20T10:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('Start Date must be before End Date!').waitFor()
  await page.getByLabel(/^End/).fill('2026-11-20T12:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  // Lagos is an hour ahead of UTC.
  await page.waitForURL(/from=2026-11-20T09%3A00%3A00\.000Z&to=2026-11-20T11%3A00%3A00\.000Z/)
  await page.getByText('7 days', { exact: true }).click()
  await page.waitForURL(/period=7d/)
})

test('pausing asks first, then waits for the device', async () => {
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for Van 3' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Pause transmission')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Pause transmission of Van 3?').waitFor()
  await dialog.getByRole('button', { name: 'Pause transmission' }).click()
  await page.getByText('Transmission paused').waitFor()
  await page.getByText(/Waiting for the device.*pause/).waitFor()
  // For its five seconds the toast lies over the menu.
  await page.getByText('Transmission paused').waitFor({ state: 'detached' })
  await choose('Start transmission')
  await page.getByRole('dialog').getByRole('button', { name: 'Start transmission' }).click()
  await page.getByText('Transmission started').waitFor()
})

test('settings are saved; limits keep their history', async () => {
  await page.goto(`/devices/${vanId}/settings`)
  const lower = page.getByLabel('Lowest temperature')
  await lower.fill('9')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('The lower limit must be below the upper limit.').first().waitFor()
  // Key by key, as people do, in place of the marked number.
  await lower.press('ControlOrMeta+a')
  await lower.pressSequentially('-0.5')
  expect(await lower.inputValue()).toMatch(/^-0\.5\s°C$/)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved').waitFor()
  const history = page.getByRole('table', { name: 'Limits through time' })
  await expect.poll(() => history.getByRole('row').count()).toBe(3)
})

test('what could not become a reading is shown to the Admin with its reason', async () => {
  await send(van, { at: '1970-01-02T00:00:00Z', temperatureC: 4 })
  await page.goto('/devices/rejected')
  const row = page.getByRole('row', { name: /Too old/ })
  await row.getByText('Van 3').waitFor()
  await row.click()
  await page
    .getByRole('dialog')
    .getByText(/1970-01-02/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
})

test('the dashboard says what is out of range and leads to it', async () => {
  await send(van, { temperatureC: 12.4 })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /Van 3 is out of range since/ }).waitFor()
  await page
    .getByRole('link', { name: /Out of range/ })
    .first()
    .click()
  await page.waitForURL('**/devices/device-overview?status=outOfRange')
  await page.getByRole('row', { name: /Van 3/ }).waitFor()
})

test('on a phone what somebody must act on stands before the map', async () => {
  const window = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  try {
    await page.goto('/dashboard')
    for (const part of ['Open alarms', 'Out of range now', 'Positions of all devices'])
      await page.getByRole('region', { name: part, exact: true }).first().waitFor()
    const order = await page
      .locator('main :is(section, [role=region])')
      .evaluateAll((parts) => parts.map((part) => part.ariaLabel))
    expect(order.slice(0, 3)).toEqual(['Open alarms', 'Out of range now', 'Positions of all devices'])
    await page.goto('/devices/device-overview')
    const main = page.getByRole('link', { name: 'Set up a device', exact: true })
    const other = page.getByRole('button', { name: 'Export CSV' })
    await other.waitFor()
    // One row, the main one at its beginning, whatever the others are.
    const areInOrder = async () => {
      const [first, second] = [await main.boundingBox(), await other.boundingBox()]
      return first !== null && second !== null && first.x < second.x && first.y === second.y
    }
    await expect.poll(areInOrder).toBe(true)
  } finally {
    if (window) await page.setViewportSize(window)
  }
})

test('staff see the device, and nothing that would change it', async () => {
  await staffPage.goto('/devices/device-overview')
  await staffPage.getByRole('row', { name: /Van 3/ }).waitFor()
  expect(await staffPage.getByRole('link', { name: 'Set up a device' }).count()).toBe(0)
  expect(await staffPage.getByRole('link', { name: 'Rejected readings' }).count()).toBe(0)
  expect(await staffPage.getByRole('button', { name: /Export CSV|Actions for/ }).count()).toBe(0)
  await staffPage.goto(`/devices/${vanId}/details`)
  await staffPage.getByLabel('Now', { exact: true }).getByText('12.4').waitFor()
  expect(await staffPage.getByRole('button', { name: 'Pause transmission' }).count()).toBe(0)
  await staffPage.goto(`/devices/${vanId}/settings`)
  await staffPage.getByText('Limits through time').first().waitFor()
  expect(await staffPage.getByRole('button', { name: /Save settings|Pause transmission/ }).count()).toBe(0)
  expect(await staffPage.getByRole('textbox').count()).toBe(0)
  await staffPage.goto('/devices/rejected')
  await staffPage.waitForURL('**/404')
})

test('a private device does not exist for staff', async () => {
  const change = (data: object) => taken(page.request.patch(`/app/api/v1/devices/${vanId}`, { headers, data }))
  await change({ visibility: 'private' })
  await staffPage.goto('/devices/device-overview')
  await staffPage.getByText('No devices yet').waitFor()
  await staffPage.goto(`/devices/${vanId}/details`)
  await staffPage.waitForURL('**/404')
  await change({ visibility: 'public' })
})

test('an alarm that opens is told in its row by itself, and leads to the triggered alarms', async () => {
  await send(van, { temperatureC: 5 })
  const me = await page.request.get('/app/api/v1/auth/profile', { headers })
  const { user } = ((await me.json()) as { payload: { user: { id: string } } }).payload
  const made = await page.request.post('/app/api/v1/alarms', {
    headers,
    data: {
      name: 'Too warm',
      severity: 'critical',
      deviceIds: [vanId],
      recipients: [{ userId: user.id, channels: ['app'] }],
      rule: { kind: 'value', temperatureMaxC: 8 },
    },
  })
  expect(made.status()).toBe(200)
  const alarmId = ((await made.json()) as { payload: { id: string } }).payload.id
  try {
    await page.goto('/devices/device-overview')
    await page.getByRole('row', { name: /Van 3/ }).waitFor()
    const badge = page.getByRole('link', { name: /1 open alarm\s*, Critical/ })
    expect(await badge.count()).toBe(0)
    await send(van, { temperatureC: 9.6 })
    await badge.waitFor()
    await badge.click()
    await page.waitForURL(/triggered-alarms\?.*state=open/)
    const row = page.getByRole('listitem').filter({ hasText: /Van 3 above 8\.0\s°C/ })
    await row.getByText('Open', { exact: true }).waitFor()
  } finally {
    await page.request.delete(`/app/api/v1/alarms/${alarmId}`, { headers })
    await send(van, { temperatureC: 5 })
  }
})

test('another company sees nothing of it', async () => {
  const other = await stage.page()
  await foundCompany(stage, other.request, 'Stranger Ltd', stranger)
  await logIn(other, stranger)
  await other.goto('/dashboard')
  await other.getByText('0 of 5 done').waitFor()
  await other.goto('/devices/device-overview')
  await other.getByText('No devices yet').waitFor()
  await send(van, { temperatureC: 5.1 })
  expect(await other.getByText('Van 3').count()).toBe(0)
  await other.goto(`/devices/${vanId}/details`)
  await other.waitForURL('**/404')
  await other.context().close()
})

test('a role that may not see devices gets what else it may see, one that sees nothing a calm page; neither sends what it may not', async () => {
  const answer = await page.request.get('/app/api/v1/roles/staff', { headers })
  const { modulePermissions } = ((await answer.json()) as { payload: { modulePermissions: object } }).payload
  const allow = (seen: object) =>
    taken(page.request.patch('/app/api/v1/roles/staff', { headers, data: { modulePermissions: seen } }))
  try {
    // A screen that asks nothing by itself: what is asked before it can know ends the session.
    await staffPage.goto('/settings/profile')
    const offered = staffPage.getByRole('navigation').getByRole('link', { name: 'Devices' })
    await offered.first().waitFor()
    const none = { view: false, addOrEdit: false, export: false }
    await allow({ ...modulePermissions, devices: none })
    // The open screen hears of it by itself.
    await expect.poll(() => offered.count()).toBe(0)
    const sent: string[] = []
    staffPage.on('request', (request) => sent.push(request.url()))
    await staffPage.goto('/dashboard')
    await staffPage.getByRole('heading', { name: 'Open alarms' }).waitFor()
    await staffPage.goto('/devices/device-overview')
    await staffPage.waitForURL('**/404')
    expect(sent.filter((url) => /\/api\/v1\/devices/.test(url))).toEqual([])
    await staffPage.goto('/settings/profile')
    const alarmsOffered = staffPage.getByRole('navigation').getByRole('link', { name: 'Alarms' })
    await alarmsOffered.first().waitFor()
    await allow({ ...modulePermissions, devices: none, alarms: none, reports: none, payments: none })
    await expect.poll(() => alarmsOffered.count()).toBe(0)
    sent.length = 0
    await staffPage.goto('/dashboard')
    await staffPage.getByText('A quiet page').waitFor()
    expect(sent.filter((url) => /\/api\/v1\/(devices|users\/dashboard|alarm)/.test(url))).toEqual([])
  } finally {
    await allow(modulePermissions)
  }
})

test('the device page with chart and map loads at most 700 KB of JavaScript, gzip', async () => {
  const fresh = await stage.page({ storageState: await page.context().storageState() })
  const scripts = new Map<string, Response>()
  fresh.on('response', (response) => void (/\.js(\?|$)/.test(response.url()) && scripts.set(response.url(), response)))
  await fresh.goto(`/devices/${vanId}/details`)
  await fresh.getByRole('region', { name: /Chart from/ }).waitFor()
  await fresh.locator('.maplibregl-canvas').waitFor()
  await expect.poll(() => [...scripts.keys()].join()).toContain('maplibre-worker')
  const sizes = await Promise.all([...scripts.values()].map(async (script) => gzipSync(await script.body()).length))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`JavaScript of the device page: ${Math.round(total / 100) / 10} KB gzip in ${sizes.length} files`)
  expect(sizes.length).toBeGreaterThan(5)
  expect(total).toBeLessThanOrEqual(700_000)
  await fresh.context().close()
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
