import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@reports.test'
const shots = process.env.SHOTS

let stage: Stage
let page: Page
let staffPage: Page
let deviceId: string
let verifyPath: string
let filePath: string

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page({ acceptDownloads: true })
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Cold Reports Ltd', admin)
  const headers = await logIn(page, admin)
  const made = await page.request.post('/app/api/v1/devices/setup', {
    headers,
    data: { imei, licenceKey: key, name: 'Van 3', tag: 'Lagos', limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
  })
  deviceId = (await made.json()).payload.id
  // From now on: what is older is of a time when it was nobody's device.
  const now = Date.now()
  const readings = Array.from({ length: 30 }, (_, n) => ({
    at: new Date(now + n * 20).toISOString(),
    temperatureC: n > 10 && n < 14 ? 9.4 + n / 10 : 4 + (n % 5) / 10,
    humidityPct: 55 + (n % 7),
    batteryPct: 90,
    lat: 6.45 + n / 300,
    lon: 3.38 + n / 200,
  }))
  const sent = await page.request.post(`/app/api/v1/ingest/${imei}`, {
    headers: { authorization: `Bearer ${secrets.get(imei)}` },
    data: { readings },
  })
  expect(await sent.json()).toMatchObject({ payload: { rejected: [] } })
  staffPage = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam Staff', role: 'staff' }))
})
afterAll(() => stage?.close())

async function shoot(of: Page, name: string) {
  if (!shots) return
  for (const [width, height] of [
    [1366, 900],
    [390, 844],
  ] as const)
    for (const scheme of ['light', 'dark'] as const) {
      await of.setViewportSize({ width, height })
      await of.emulateMedia({ colorScheme: scheme })
      await of.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme)
      await of.screenshot({ path: `${shots}/${name}-${width}-${scheme}.png`, fullPage: true })
    }
  await of.setViewportSize({ width: 1366, height: 800 })
}

test('a device leads to its report, which says what the period was', async () => {
  await page.goto(`/devices/${deviceId}/details`)
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.waitForURL(`**/devices/report/${deviceId}**`)
  await page.getByText('Out of range', { exact: true }).waitFor()
  const figures = page.getByRole('table', { name: 'Statistics' })
  await figures.getByText('Mean kinetic temperature').waitFor()
  await figures.getByText('10.70 °C').first().waitFor()
  await page.getByText('Temperature above').first().waitFor()
  await page.getByText('No report of this device has been asked for yet.').waitFor()
  expect(await axeFaults(page)).toEqual([])
})

const menu = async (item: string) => {
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** A busy machine takes its time for a report. */
const slowMs = 240_000

test('asked for as a PDF it is built, saved, and stands in the list', { timeout: 2 * slowMs }, async () => {
  // A report of an earlier try is downloaded no more.
  await page.reload()
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: slowMs }), menu('PDF')])
  await page.getByText('Report Downloaded').waitFor()
  filePath = await file.path()
  expect(file.suggestedFilename()).toBe('Van 3.pdf')
  expect((await readFile(filePath)).subarray(0, 5).toString()).toBe('%PDF-')
  const newest = page.getByRole('list', { name: 'Reports of this device' }).getByRole('listitem').first()
  await newest.getByText('Ready').waitFor()
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    newest.getByRole('button', { name: 'Download Van 3.pdf' }).click(),
  ])
  expect(await readFile(await again.path())).toEqual(await readFile(filePath))
  await shoot(page, 'report')
})

test('sent by mail it asks to whom first, and says so', async () => {
  await menu('Send by mail …')
  const question = page.getByRole('dialog')
  await question.getByText('Send the report of Van 3 by mail').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot(page, 'report-mail')
  const issued = page.getByRole('list', { name: 'Reports of this device', includeHidden: true }).locator('> li')
  const before = await issued.count()
  await question.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText(/^The report will be mailed to /).waitFor()
  // The next test takes the newest of the list.
  await expect.poll(() => issued.count()).toBe(before + 1)
})

test('the mail leads to the page of that period', async () => {
  const path = await stage.mailedLink(admin, `devices/report`)
  expect(path).toBe(`/devices/report/${deviceId}`)
  verifyPath = await stage.mailedLink(admin, 'verify-report')
  expect(verifyPath).toMatch(/^\/verify-report\/[0-9a-f]{32}/)
  const newest = page.getByRole('list', { name: 'Reports of this device' }).getByRole('listitem').first()
  await newest.getByText('Ready').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    newest.getByRole('button', { name: 'Download Van 3.pdf' }).click(),
  ])
  filePath = await file.path()
})

test('anybody can verify the file: the one that was issued matches, a changed one does not', async () => {
  const guest = await stage.page()
  await guest.goto(verifyPath)
  await guest.getByText('Cold Reports Ltd').waitFor()
  await guest.getByText('Van 3').waitFor()
  await guest.getByText(imei).waitFor()
  const issued = await readFile(filePath)
  const choose = (name: string, buffer: Buffer) =>
    guest.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  await choose('report.pdf', issued)
  await guest.getByText('The file is genuine').waitFor()
  await shoot(guest, 'verify')
  const changed = Buffer.from(issued)
  changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1
  await choose('changed.pdf', changed)
  await guest.getByText('The file is not the one that was issued').waitFor()
  expect(await axeFaults(guest)).toEqual([])
  await guest.goto(`/verify-report/${'0'.repeat(32)}`)
  await guest.getByText('No such report').waitFor()
})

test('on paper there is the report, and nothing of the screen around it', async () => {
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Download' }).isVisible()).toBe(false)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await page.getByRole('table', { name: 'Statistics' }).isVisible()).toBe(true)
  if (shots) await page.pdf({ path: `${shots}/printed.pdf`, format: 'A4' })
  await page.emulateMedia({ media: 'screen' })
})

test('paper is white where the screen is dark, however somebody prints, and the screen is dark again afterwards', async () => {
  // The page has a map too, and its canvas may be there before the chart.
  const chart = page.locator('section[aria-roledescription=chart] canvas')
  const look = (before?: string) =>
    chart.evaluate((canvas: HTMLCanvasElement, event) => {
      if (event) dispatchEvent(new Event(event))
      const { mantineColorScheme } = document.documentElement.dataset
      return { scheme: mantineColorScheme, chart: canvas.toDataURL() }
    }, before)
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  await page.reload()
  await expect.poll(async () => (await look()).scheme).toBe('dark')
  const dark = await look()
  const printed = await look('beforeprint')
  expect(printed.scheme).toBe('light')
  expect(printed.chart).not.toBe(dark.chart)
  await look('afterprint')
  await expect.poll(async () => (await look()).scheme).toBe('dark')
  await page.evaluate(() => localStorage.removeItem('mantine-color-scheme-value'))
})

test('Staff without export read it, and are offered no file', async () => {
  await staffPage.goto(`/devices/report/${deviceId}`)
  await staffPage.getByText('Your role may look at this report, but not download it.').waitFor()
  await staffPage.getByRole('list', { name: 'Reports of this device' }).getByText('Ready').first().waitFor()
  expect(await staffPage.getByRole('button', { name: /Download/ }).count()).toBe(0)
})

test('its contents can be chosen, are built, and are kept for the next time', async () => {
  await page.goto(`/devices/report/${deviceId}`)
  await menu('Contents and language …')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Download the report of Van 3').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByLabel('Format').selectOption('CSV')
  await dialog.getByLabel('Table').selectOption('Excursions')
  await shoot(page, 'report-contents')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect((await readFile(await file.path())).toString()).toContain('Temperature above')
  const [again] = await Promise.all([page.waitForEvent('download'), menu('CSV')])
  expect((await readFile(await again.path())).toString()).toContain('Temperature above')
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
