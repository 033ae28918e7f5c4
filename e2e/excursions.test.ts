import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, password, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@excursions.test'
const staff = 'staff@excursions.test'
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
  const answer = await page.request.post('/app/api/v1/devices/setup', { headers, data })
  id = ((await answer.json()) as { payload: { id: string } }).payload.id
  send = (temperatureC, at = Date.now()) =>
    measure(page, imei, secrets.get(imei) ?? '', { temperatureC, at: new Date(at).toISOString() })
})
afterAll(() => stage?.close())

test('a device that was never out says so, beside its other screens', async () => {
  await send(5)
  await page.goto(`/devices/${id}/details`)
  await page.getByRole('link', { name: 'Excursions' }).click()
  await page.waitForURL(`**/devices/${id}/excursions`)
  await page.getByText('No excursions in this period').waitFor()
})

let middle: number
test('an excursion appears while it goes on, and ends, by itself', async () => {
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))
  await send(9.4)
  const row = page.getByRole('row', { name: /Too warm/ })
  await row.getByText('ongoing').waitFor()
  middle = Date.now()
  await send(5, middle + 50)
  await row.getByText('ongoing').waitFor({ state: 'detached' })
  await row.getByText('limit 8.0').waitFor()
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true)
})

test('late data that changes it is seen as such', async () => {
  await send(11.3, middle)
  const row = page.getByRole('row', { name: /Too warm/ })
  await row.getByText('11.3').waitFor()
  await row.getByText('amended').waitFor()
})

test('it opens on the chart, with the figures of the time around it', async () => {
  await page.getByRole('row', { name: /Too warm/ }).click()
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
  await page.request.post('/app/api/v1/users', { headers, data: { fullname: 'Sam', email: staff, role: 'staff' } })
  const token = (await stage.mailedLink(staff, 'usersetup')).split('#').at(-1)
  const theirs = await stage.page()
  await theirs.request.post('/app/api/v1/users/setup', { data: { token, password } })
  await logIn(theirs, staff)
  await theirs.goto(`/devices/${id}/excursions`)
  await theirs.getByRole('row', { name: /Too warm/ }).waitFor()
  await page.request.patch(`/app/api/v1/devices/${id}`, { headers, data: { visibility: 'private' } })
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
