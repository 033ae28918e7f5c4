import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, stockUp, taken } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@excursions.test'
const stranger = 'admin@other-excursions.test'

let stage: Stage
let page: Page
let headers: Record<string, string>
let id: string
let send: (temperatureC: number, at?: number) => Promise<unknown>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Excursions Ltd', admin)
  headers = await logIn(page, admin)
  const data = { imei, licenceKey: key, name: 'Fridge 1', limits: { preset: 'refrigerated' }, intervalS: 180 }
  const answer = await taken(page.request.post('/app/api/v1/devices/setup', { headers, data }))
  id = ((await answer.json()) as { payload: { id: string } }).payload.id
  send = (temperatureC, at = Date.now()) =>
    measure(page, imei, secrets.get(imei) ?? '', { temperatureC, at: new Date(at).toISOString() })
})
afterAll(() => stage?.close())

test('a device that was never out says so, beside its other screens', async () => {
  await send(5)
  await page.goto(`/devices/${id}/details`)
  await page
    .getByRole('navigation', { name: 'Screens of this device' })
    .getByRole('link', { name: 'Excursions' })
    .click()
  await page.waitForURL(`**/devices/${id}/excursions`)
  await page.getByText('No excursions in this period').waitFor()
})

let middle: number
test('an excursion appears while it goes on, and ends, by itself', async () => {
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))
  await send(9.4)
  const row = page.getByRole('row', { name: /Too warm/ })
  await row.getByText('ongoing').filter({ visible: true }).first().waitFor()
  middle = Date.now()
  await send(5, middle + 50)
  await row.getByText('ongoing').first().waitFor({ state: 'detached' })
  await row.getByText('limit 8\u202f°C').waitFor()
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true)
})

test('late data that changes it is seen as such', async () => {
  await send(11.3, middle)
  const row = page.getByRole('row', { name: /Too warm/ })
  await row.getByText('11.3').waitFor()
  await row.getByText('amended').waitFor()
})

test('among those of the fleet it is given a cause, a note and an owner, which its chart tells', async () => {
  await page.goto('/excursions')
  const row = page.getByRole('row', { name: /Fridge 1.*Too warm/ })
  await row.getByRole('button', { name: 'Give a cause' }).click()
  const sheet = page.getByRole('dialog', { name: 'Cause, note and owner' })
  await sheet.getByRole('combobox', { name: 'Cause' }).click()
  await page.getByRole('option', { name: 'Door open' }).click()
  await sheet.getByRole('textbox', { name: 'Note' }).fill('Held open for a delivery')
  await sheet.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: /\(me\)/ }).click()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Held open for a delivery').waitFor()
  await row.getByRole('button', { name: 'Door open' }).waitFor()
  await page.goto(`/excursions?cause=none`)
  await page.getByText('no results found').waitFor()
  await page.goto(`/devices/${id}/excursions`)
  await page
    .getByRole('row', { name: /Too warm/ })
    .getByText('Held open for a delivery')
    .waitFor()
})

test('an Admin adds a cause and retires another', async () => {
  await page.goto('/excursions')
  await page.getByRole('button', { name: 'Causes', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Causes to choose from' })
  await sheet.getByRole('textbox', { name: 'New cause' }).fill('Forklift')
  await sheet.getByRole('button', { name: 'Add' }).click()
  await sheet.getByRole('textbox', { name: 'Name of Forklift' }).waitFor()
  const loading = sheet
    .getByRole('listitem')
    .filter({ has: page.getByRole('textbox', { name: 'Name of Loading or unloading' }) })
  await loading.getByRole('button', { name: 'Retire' }).click()
  await sheet
    .getByRole('list', { name: 'Retired' })
    .getByRole('textbox', { name: 'Name of Loading or unloading' })
    .waitFor()
})

test('on a phone each is a card, from which the cause is given too', async () => {
  const phone = await stage.page({
    storageState: await page.context().storageState(),
    viewport: { width: 390, height: 844 },
  })
  await phone.goto('/excursions')
  const cards = phone.getByRole('list', { name: 'Excursions' })
  const cause = cards.getByRole('button', { name: /^Door open:/ })
  // It begins where the words above it do.
  const left = async (of: typeof cause) => (await of.boundingBox())?.x
  expect(await left(cause)).toBe(await left(cards.getByText('Fridge 1', { exact: true }).first()))
  await cause.click()
  await phone.getByRole('dialog', { name: 'Cause, note and owner' }).getByRole('textbox', { name: 'Note' }).waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await phone.context().close()
})

test('it opens on the chart, with the figures of the time around it', async () => {
  await page.goto(`/devices/${id}/excursions`)
  await page
    .getByRole('row', { name: /Too warm/ })
    .getByText('Too warm')
    .click()
  await page.waitForURL(/details\?from=.+&to=/)
  const figures = page.getByRole('region', { name: 'Figures of the period' })
  await figures.getByText('Out of range', { exact: true }).waitFor()
  await figures.getByText('ΔH 83.144').waitFor()
  await figures.getByText('11.3').waitFor()
})

test('a period without order is refused in the words people know', async () => {
  await page.goto(`/devices/${id}/excursions`)
  await page.getByText('Custom', { exact: true }).click()
  await page.getByLabel(/^Start/).fill('20 Nov 2026, 10:00')
  await page.getByLabel(/^End/).fill('20/11/2026 9:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('Start Date must be before End Date!').waitFor()
})

test('Staff see a public device’s excursions and a private one’s not; another company sees neither', async () => {
  const change = (data: object) => taken(page.request.patch(`/app/api/v1/devices/${id}`, { headers, data }))
  await change({ visibility: 'public' })
  const theirs = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam', role: 'staff' }))
  await theirs.goto(`/devices/${id}/excursions`)
  await theirs.getByRole('row', { name: /Too warm/ }).waitFor()
  await change({ visibility: 'private' })
  await theirs.goto(`/devices/${id}/excursions`)
  await theirs.waitForURL('**/404')
  const other = await stage.page()
  await foundCompany(stage, other.request, 'Other Ltd', stranger)
  await logIn(other, stranger)
  await other.goto(`/devices/${id}/excursions`)
  await other.waitForURL('**/404')
})

test('nothing went wrong in the browser meanwhile', () => {
  expect(stage.faults).toEqual([])
})
