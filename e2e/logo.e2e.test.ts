import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'
const shots = process.env.SHOTS
const imei = '490154203237518'

let stage: Stage
let admin: Page
let headers: Record<string, string>
let deviceId: string

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  admin = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, admin.request, 'Baobab Cold Chain Ltd', 'admin@logo.test')
  headers = await logIn(admin, 'admin@logo.test')
  const data = { imei, licenceKey: key, name: 'Vaccine fridge', limits: { preset: 'refrigerated' } }
  deviceId = (await (await admin.request.post(`${api}/devices/setup`, { headers, data })).json()).payload.id
  const sent = await admin.request.post(`${api}/ingest/${imei}`, {
    headers: { authorization: `Bearer ${secrets.get(imei) ?? ''}` },
    data: { temperatureC: 5.1, humidityPct: 55, batteryPct: 80 },
  })
  expect(sent.ok()).toBe(true)
})
afterAll(() => stage?.close())

/** A logo as a designer's program writes it: on nothing, with a wide margin. */
async function drawn(): Promise<Buffer> {
  const page = await stage.browser.newPage({ viewport: { width: 1200, height: 600 } })
  await page.setContent(`<body style="margin:0"><svg width="1200" height="600" xmlns="http://www.w3.org/2000/svg">
    <circle cx="300" cy="300" r="130" fill="#0b6e66"/><path d="M230 300h140M300 230v140" stroke="#fff" stroke-width="34"/>
    <text x="470" y="350" font-size="150" font-family="sans-serif" font-weight="700" fill="#14344a">Baobab</text></svg>`)
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Picture of the logo').setInputFiles({ name, mimeType: 'image/png', buffer })

/** Whether the picture is there, not only its frame. */
const isDrawn = (page: Page, selector: string) =>
  page.waitForFunction((of) => (document.querySelector<HTMLImageElement>(of)?.naturalWidth ?? 0) > 100, selector)

async function look(page: Page, name: string) {
  for (const width of [390, 1366])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      // The page hears of its new width a moment later.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await axeFaults(page)).toEqual([])
      if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
}

test('an Admin sets the logo; the team sees it, and does not change it', async () => {
  await admin.goto('/settings/businessprofile')
  await admin.getByText('No logo yet').waitFor()
  await choose(admin, 'logo.png', Buffer.from('<!doctype html><script>alert(1)</script>'))
  await admin.getByText(/This file is not taken/).waitFor()
  await choose(admin, 'logo.png', Buffer.alloc(1_100_000))
  await admin.getByText('This file is larger than 1 MB.').waitFor()
  await choose(admin, 'logo.png', await drawn())
  await admin.getByText('Logo saved').waitFor()
  await isDrawn(admin, 'img[alt="The company’s logo"]')
  await look(admin, 'settings')
  const staff = await loggedIn(stage, await teamMember(stage, admin, { fullname: 'Kofi Mensah', role: 'staff' }))
  await staff.goto('/settings/businessprofile')
  await isDrawn(staff, 'img[alt="The company’s logo"]')
  expect(await staff.getByRole('button', { name: 'Replace' }).count()).toBe(0)
})

test('it stands on the page of a share link, which asks for it once', async () => {
  const made = await admin.request.post(`${api}/devices/${deviceId}/share-links`, {
    ...{ headers, data: { label: 'For the hospital', hours: 24 } },
  })
  const { token } = (await made.json()).payload
  const page = await stage.page()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/share#${token}`)
  await page.getByText('Baobab Cold Chain Ltd').waitFor()
  await isDrawn(page, 'header img')
  await look(page, 'share')
  expect(asked.filter((path) => path.endsWith('/shared/logo'))).toHaveLength(1)
})

test('it is on a report, and gone after it was taken away', async () => {
  const period = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() }
  const asked = await admin.request.post(`${api}/devices/${deviceId}/history/report`, {
    ...{ headers, data: { ...period, format: 'pdf' } },
  })
  const { id } = (await asked.json()).payload
  const report = () => admin.request.get(`${api}/device-reports/${id}/file`, { headers })
  await expect.poll(async () => (await report()).status(), { timeout: 200_000, interval: 500 }).toBe(200)
  const pdf = await (await report()).body()
  expect(pdf.includes('/Subtype /Image')).toBe(true)
  if (shots) await writeFile(join(shots, 'report.pdf'), pdf)
  await admin.setViewportSize({ width: 1366, height: 844 })
  await admin.getByRole('button', { name: 'Remove', exact: true }).click()
  if (shots) await admin.screenshot({ path: join(shots, 'remove.png') })
  await admin.getByRole('button', { name: 'Remove the logo' }).click()
  await admin.getByText('No logo yet').waitFor()
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
