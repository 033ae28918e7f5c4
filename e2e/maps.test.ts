import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { logIn, measure, stockUp } from './devices-company.ts'
import { admin, authorization, loggedIn, permit, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const imeis = ['490154203237518', '352099001761481']
const api = '/app/api/v1'
let stage: Stage
let page: Page
let staffEmail: string

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  const { secrets, key } = await stockUp(stage, imeis)
  page = await adminAtNoon()
  const headers = await authorization(page)
  for (const [i, imei] of imeis.entries()) {
    const data = { imei, licenceKey: key, name: `Van ${i + 1}`, limits: { preset: 'refrigerated' } }
    const made = await page.request.post(`${api}/devices/setup`, { headers, data })
    expect(made.ok(), await made.text()).toBe(true)
    for (const [step, temperatureC] of [4, 5 + 5 * i].entries())
      await measure(page, imei, secrets.get(imei) ?? '', {
        at: new Date(Date.now() + step * 20).toISOString(),
        temperatureC,
        lat: 6.5 + i + step / 4000,
        lon: 3.4 + i + step / 4000,
      })
  }
  staffEmail = await teamMember(stage, page, { fullname: 'Esi Staff', role: 'staff' })
})
afterAll(() => stage?.close())

/** An Admin in a zone where it is about noon: the day on which the devices measured is not over before the tests are. */
async function adminAtNoon(): Promise<Page> {
  const { page, email } = await admin(stage)
  const ahead = 12 - new Date().getUTCHours()
  // The sign of these names is the other way round.
  const timezone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  const moved = await page.request.patch(`${api}/auth/user/profile`, {
    headers: await authorization(page),
    data: { timezone },
  })
  expect(moved.ok(), await moved.text()).toBe(true)
  await logIn(page, email)
  return page
}

/** The map has been drawn, and what was asked of it is done. */
async function openMap(on: Page) {
  await on.goto('/maps')
  await on.locator('.maplibregl-canvas').waitFor()
  await on.getByRole('list', { name: 'Devices' }).waitFor()
  await on.getByRole('button', { name: /Van 1, 5/ }).waitFor({ state: 'attached' })
}
const toast = (on: Page, text: string) => on.getByText(text, { exact: true }).waitFor()

test('the list finds a device; its card shows its values and leads to its page', async () => {
  await openMap(page)
  const list = page.getByRole('list', { name: 'Devices' })
  await expect.poll(() => list.getByRole('button').count()).toBe(2)
  await page.getByRole('searchbox', { name: /Search by name/ }).fill('van 2')
  await expect
    .poll(() => list.getByRole('button').allTextContents())
    .toEqual([expect.stringMatching(/Van 2.*10\.0.*Too warm/)])
  await list.getByRole('button').click()
  const card = page.getByRole('region', { name: 'Van 2' })
  await expect.poll(() => card.textContent()).toMatch(/10\.0.*2 fixes today/)
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('van 2')
  await page.reload()
  await card.getByRole('link', { name: 'Details' }).click()
  await page.waitForURL('**/devices/*/details')
})

test('a group filters the map as it filters the list of devices', async () => {
  const headers = await authorization(page)
  const listed = await (await page.request.get(`${api}/devices?search=Van 2`, { headers })).json()
  const data = { name: 'Accra route', deviceIds: [listed.payload.data[0].id] }
  const made = await (await page.request.post(`${api}/groups`, { headers, data })).json()
  await openMap(page)
  await page.getByRole('combobox', { name: 'Group' }).click()
  await page.getByRole('option', { name: 'Accra route' }).click()
  const list = page.getByRole('list', { name: 'Devices' })
  await expect.poll(() => list.getByRole('button').allTextContents()).toEqual([expect.stringContaining('Van 2')])
  await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe(made.payload.id)
  await page.reload()
  await expect.poll(() => list.getByRole('button').allTextContents()).toEqual([expect.stringContaining('Van 2')])
})

test('a geofence drawn with the mouse is there after a reload, is changed, and is deleted by name', async () => {
  await openMap(page)
  await page.getByRole('button', { name: 'Draw on the map' }).click()
  await page.getByRole('menuitem', { name: 'Draw a polygon' }).click()
  await page.getByText(/Click each corner/).waitFor()
  await drawn(page, [
    [700, 300],
    [860, 300],
    [860, 440],
    [700, 440],
  ])
  const form = page.getByRole('form', { name: 'New geofence' })
  await form.getByLabel('Name').fill('Cold yard')
  await form.getByText('Green').click()
  await form.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Geofence created')

  await openMap(page)
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('button', { name: 'Cold yard' }).click()
  const card = page.getByRole('region', { name: 'Cold yard' })
  await card.getByText('Polygon · Green').waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('form', { name: 'Edit geofence' }).getByLabel('Name').fill('Warm yard')
  await page.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Geofence edited')
  await page.getByRole('region', { name: 'Warm yard' }).getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete the geofence “Warm yard”?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await toast(page, 'Geofence deleted')
  const { payload } = await (await page.request.get(`${api}/geofence`, { headers: await authorization(page) })).json()
  expect(payload.data).toEqual([])
})

/** Clicks corners and closes the area at the last one; the map answers each before the next. */
async function drawn(on: Page, corners: [number, number][]) {
  // The tool takes the cursor over once it listens.
  await expect
    .poll(() => on.locator('.maplibregl-canvas').evaluate((canvas) => (canvas as HTMLElement).style.cursor))
    .toBe('crosshair')
  for (const [x, y] of corners) {
    await on.mouse.move(x, y, { steps: 4 })
    await on.mouse.click(x, y)
  }
  const [x, y] = corners.at(-1) ?? [0, 0]
  await on.mouse.click(x, y)
}

test('an outline that crosses itself is refused in words, and what was typed stays', async () => {
  await openMap(page)
  await page.getByRole('button', { name: 'Draw on the map' }).click()
  await page.getByRole('menuitem', { name: 'Draw a polygon' }).click()
  await drawn(page, [
    [700, 300],
    [860, 440],
    [860, 300],
    [700, 440],
  ])
  const form = page.getByRole('form', { name: 'New geofence' })
  await form.getByLabel('Name').fill('Bow tie')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText(/outline crosses itself/).waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('Bow tie')
  // Words that somebody typed are not lost unasked.
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await form.waitFor({ state: 'detached' })
})

test('a point of interest is placed with one click', async () => {
  await openMap(page)
  await page.getByRole('button', { name: 'Draw on the map' }).click()
  await page.getByRole('menuitem', { name: 'Place a point of interest' }).click()
  await expect
    .poll(() => page.locator('.maplibregl-canvas').evaluate((canvas) => (canvas as HTMLElement).style.cursor))
    .toBe('crosshair')
  await page.mouse.move(800, 420, { steps: 3 })
  await page.mouse.click(800, 420)
  const form = page.getByRole('form', { name: 'New point of interest' })
  await form.getByLabel('Name').fill('Clinic')
  await form.getByLabel('Radius (m)').fill('350')
  await form.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'POI created')
  await expect.poll(() => page.getByRole('region', { name: 'Clinic' }).textContent()).toMatch(/350\u202fm/)
})

test('a place is searched without internet; one that is not found says what to do', async () => {
  await openMap(page)
  const search = page.getByRole('searchbox', { name: 'Search for a place' })
  await search.fill('Xyzzyqwv')
  await page
    .getByText(
      'Location cannot be processed. Please try another location or proceed to manually draw geofence around the location',
      { exact: true },
    )
    .waitFor()
  await search.fill('kumasi')
  await page
    .getByRole('option', { name: /Kumasi.*Ghana/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Geofence here' }).click()
  const form = page.getByRole('form', { name: 'New geofence' })
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Kumasi')
  await form.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Geofence created')
})

test('a journey is played again', async () => {
  await openMap(page)
  await page.getByRole('list', { name: 'Devices' }).getByRole('button', { name: /Van 1/ }).click()
  await page.getByRole('button', { name: 'Playback' }).click()
  const bar = page.getByRole('region', { name: 'Playback' })
  const scrubber = bar.getByRole('slider', { name: 'Moment on the path' })
  await scrubber.waitFor()
  await bar.getByLabel('Speed').selectOption('1')
  await bar.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(async () => (await scrubber.inputValue()) === (await scrubber.getAttribute('max'))).toBe(true)
  await bar.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await bar.getByRole('button', { name: 'End playback' }).click()
  await bar.waitFor({ state: 'detached' })
})

test('the device page plays the path of its period; the table of readings goes along', async () => {
  await openMap(page)
  await page.getByRole('list', { name: 'Devices' }).getByRole('button', { name: /Van 1/ }).click()
  await page.getByRole('region', { name: 'Van 1' }).getByRole('link', { name: 'Details' }).click()
  const table = page.getByRole('table', { name: 'Readings' })
  await table.waitFor()
  await page.getByRole('button', { name: 'Play the path' }).click()
  const bar = page.getByRole('region', { name: 'Playback' })
  const scrubber = bar.getByRole('slider', { name: 'Moment on the path' })
  await scrubber.waitFor()
  await expect.poll(() => table.locator('tr[data-marked]').textContent()).toContain('4.0')
  const speeds = bar.getByLabel('Speed').locator('option')
  await expect.poll(() => speeds.first().textContent()).toBe('1×')
  await expect.poll(() => speeds.last().textContent()).toBe('1000×')
  await bar.getByLabel('Speed').selectOption('1')
  await bar.getByRole('button', { name: 'Follow' }).click()
  await bar.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(async () => (await scrubber.inputValue()) === (await scrubber.getAttribute('max'))).toBe(true)
  await expect.poll(() => table.locator('tr[data-marked]').textContent()).toContain('5.0')
  await bar.getByRole('button', { name: 'End playback' }).click()
  await bar.waitFor({ state: 'detached' })
})

test('the map screen has nothing axe finds serious', async () => {
  await openMap(page)
  await page.getByRole('list', { name: 'Devices' }).getByRole('button', { name: /Van 1/ }).click()
  await page
    .getByRole('region', { name: 'Van 1' })
    .getByText(/fixes today/)
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('a staff member sees fences and devices, and no way to draw', async () => {
  const staff = await loggedIn(stage, staffEmail)
  await openMap(staff)
  await staff.getByRole('button', { name: 'Layers' }).click()
  await staff.getByRole('button', { name: 'Clinic' }).click()
  const card = staff.getByRole('region', { name: 'Clinic' })
  await card.waitFor()
  expect(await card.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(await staff.getByRole('button', { name: 'Draw on the map' }).count()).toBe(0)
})

test('who may not see devices is told so, and nothing is asked in their name', async () => {
  await permit(page.request, await authorization(page), 'staff', (matrix) => ({
    ...matrix,
    devices: { ...matrix.devices, view: false },
  }))
  const staff = await loggedIn(stage, staffEmail)
  const asked: string[] = []
  staff.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await staff.goto('/maps')
  await staff.getByRole('heading', { name: 'No devices to show' }).waitFor()
  expect(asked.filter((path) => /positions|geofence|point-of|devices/.test(path) && path.startsWith(api))).toEqual([])
})

test('nothing failed on the way', () => {
  expect(stage.faults).toEqual([])
})
