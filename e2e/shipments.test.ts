import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { luhnDigit } from '@isotherm/simulator/fleet.ts'
import { Ajv } from 'ajv'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { backdate, foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const run = promisify(execFile)
const shots = process.env.SHOTS
const api = '/app/api/v1'
const email = 'export@shipments.test'
const hourMs = 3_600_000
const now = Date.now()
const imeis = [1, 2, 3, 4].map((n) => `3588001177000${n}`).map((digits) => digits + luhnDigit(digits))
const names = ['Return air', 'Pulp 1', 'Pulp 2', 'Pulp 3']
const schemaPath = '/work/shared/data/epcis-2.0-json-schema.json'

let stage: Stage
let page: Page
let headers: Record<string, string>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-shipment-'))
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page({ acceptDownloads: true })
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Cape Citrus', email)
  headers = await logIn(page, email)
  for (const [index, imei] of imeis.entries()) {
    const limits = { temperatureMinC: -1, temperatureMaxC: 1.5 }
    const data = { imei, licenceKey: key, name: names[index], intervalS: 600, limits }
    const answer = await page.request.post(`${api}/devices/setup`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  await backdate(stage, now - 72 * hourMs)
  for (const [index, imei] of imeis.entries()) {
    // The air warms up for an hour on the way; the fruit does not notice.
    const celsius = (hours: number) => (index === 0 && hours > 20 && hours < 21 ? 4 : 0.2 + index / 10)
    const readings = Array.from({ length: 6 * 46 }, (_, step) => ({
      at: new Date(now - step * 600_000).toISOString(),
      temperatureC: celsius(step / 6),
      ...(index === 0 && { lat: -33.9069, lon: 18.4347, accuracyM: 12 }),
    })).reverse()
    const answer = await page.request.post(`${api}/ingest/${imei}`, {
      headers: { authorization: `Bearer ${secrets.get(imei)}` },
      data: { readings },
    })
    expect((await answer.json()).payload).toMatchObject({ accepted: readings.length, rejected: [] })
  }
})
afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true, force: true })
})

const dialog = () => page.getByRole('dialog')
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const section = (name: string) => page.getByRole('region', { name, exact: true })
/** The clock at a place so many hours ago, as somebody types it. */
const clockAgo = (hours: number, zone: string) =>
  localTimeOf(new Date(now - hours * hourMs).toISOString(), zone)
    .slice(0, 16)
    .replace('T', ' ')
const tab = async (name: string) => {
  await page.getByRole('radiogroup', { name: 'Parts of the shipment' }).getByText(name, { exact: true }).click()
}
async function shoot(name: string) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

async function addEnd(kind: 'Origin' | 'Destination', name: string, country: string, port: [typed: string, RegExp]) {
  await page.goto(`/export/dispatch/${kind.toLowerCase()}`)
  await page
    .getByRole('button', { name: `Add ${kind.toLowerCase()}` })
    .first()
    .click()
  await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog().getByRole('combobox', { name: 'Country' }).fill(country)
  await page.getByRole('option', { name: country, exact: true }).click()
  await dialog().getByRole('searchbox', { name: 'Ports', exact: true }).fill(port[0])
  await page.getByRole('option', { name: port[1] }).first().click()
  await dialog()
    .getByRole('button', { name: `Add ${kind.toLowerCase()}` })
    .click()
  await said(`${kind} added`)
}

const choose = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

test('a shipment is made by clicking: its faults are said at their fields, and a double click makes one', async () => {
  await page.goto('/export/dispatch/add-shipment')
  await said('Add an origin and a destination first.')
  await addEnd('Origin', 'Citrusdal pack house', 'South Africa', ['cape town', /ZACPT/])
  await addEnd('Destination', 'Barendrecht cold store', 'Netherlands', ['rotterdam', /NLRTM/])
  await page.goto('/export/dispatch')
  await said('No shipments yet')
  await shoot('empty')
  await page.getByRole('button', { name: 'Add shipment' }).first().click()
  await page.waitForURL(/add-shipment/)
  await choose('Origin', 'Citrusdal pack house')
  await choose('Destination', 'Barendrecht cold store')
  await section('Goods').getByLabel('Product').fill('Oranges')
  await section('Goods').getByLabel('Variety').fill('Valencia')
  await section('Goods').getByLabel('Reference').fill('MF 4711')
  await section('Goods').getByLabel('HS code').fill('080510')
  await section('Goods').getByLabel('Pallets').fill('20')
  const [road, sea] = [section('Leg 1'), section('Leg 2')]
  await road.getByLabel('By', { exact: true }).selectOption('road')
  await road.getByLabel('Carrier').fill('Cederberg Transport')
  await page.getByRole('button', { name: 'Add a leg' }).click()
  await sea.getByLabel('By', { exact: true }).selectOption('sea')
  for (const [end, typed, found] of [
    ['From port', 'cape town', /ZACPT/],
    ['To port', 'nlrtm', /NLRTM/],
  ] as const) {
    await sea.getByRole('searchbox', { name: end }).fill(typed)
    await page.getByRole('option', { name: found }).first().click()
    await sea.getByRole('button', { name: `${end}: Remove` }).waitFor()
  }
  await sea.getByLabel('Vessel').fill('Cape Breeze')
  await sea.getByLabel('Voyage').fill('208N')
  await sea.getByLabel('Container').fill('MSKU 907032 4')
  await sea.getByLabel('Departure (ETD)').fill(clockAgo(30, 'Africa/Johannesburg'))
  await sea.getByLabel('Arrival (ETA)').fill(clockAgo(-24 * 14, 'Europe/Amsterdam'))
  const devices = section('Devices').getByRole('combobox', { name: 'Devices with the goods' })
  for (const name of names) {
    await devices.fill(name)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await page.keyboard.press('Escape')
  for (const [index, name] of names.entries())
    await page.getByLabel(`Place of ${name}`).selectOption(index === 0 ? 'return' : `pulp${index}`)
  await section('Temperature and dates').getByLabel('Carrying temperature from (°C)').fill('-1')
  await section('Temperature and dates').getByLabel('to (°C)', { exact: true }).fill('1.5')
  await shoot('form')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Create shipment' }).click()
  // The check digit is wrong: somebody may insist on it.
  await sea.getByText(/This is no container number/).waitFor()
  await sea.getByText('Keep this number though its check digit is wrong').waitFor()
  await sea.getByLabel('Container', { exact: true }).fill('MSKU 907032 3')
  await page.getByRole('button', { name: 'Create shipment' }).dblclick()
  await said('Shipment S-000001 created')
  await page.waitForURL(/export\/dispatch\/shipment\/\d+/)
  const { payload } = await (await page.request.get(`${api}/export/shipments`, { headers })).json()
  expect(payload.data).toMatchObject([{ number: 'S-000001', state: 'pending', deviceCount: 4 }])
})

async function milestone(kind: string, leg: string | null, hoursAgo: number, zone: string) {
  await page.getByRole('button', { name: 'Note a milestone' }).click()
  await dialog().getByLabel('Milestone', { exact: true }).selectOption({ label: kind })
  await dialog()
    .getByLabel('Leg', { exact: true })
    .selectOption({ label: leg ?? 'Whole shipment' })
  await dialog()
    .getByRole('textbox', { name: /^Time \(/ })
    .fill(clockAgo(hoursAgo, zone))
  await dialog().getByRole('button', { name: 'Note a milestone' }).click()
  await dialog().waitFor({ state: 'detached' })
  await section('Journey').getByText(kind, { exact: true }).first().waitFor()
}
const johannesburg = 'Africa/Johannesburg'

test('its milestones move it; the legs have their planned and actual times', async () => {
  await milestone('Container loaded with goods', null, 42, johannesburg)
  await milestone('Departed', '1. Road', 41, johannesburg)
  await section('S-000001').getByText('Ongoing', { exact: true }).waitFor()
  await milestone('Arrived', '1. Road', 36, johannesburg)
  await milestone('Departed', '2. Sea Cape Breeze', 30, johannesburg)
  // It departed on time: what is expected is what was planned.
  await section('Journey')
    .getByText(/^Estimated: /)
    .waitFor()
  await shoot('journey')
  expect(await axeFaults(page)).toEqual([])
  await page.goto('/export/dispatch')
  await page.getByRole('row', { name: /S-000001.*Ongoing.*Cape Breeze/ }).waitFor()
  await section('Under way').waitFor()
  const { payload } = await (await page.request.get(`${api}/export/shipments/map`, { headers })).json()
  expect(payload.shipments).toMatchObject([{ number: 'S-000001', position: { lat: -33.9069, lon: 18.4347 } }])
  await shoot('list')
})

/** The pages of a PDF as texts; their pictures beside the other shots. */
async function pagesOf(download: Download, name: string): Promise<string[]> {
  const path = join(folder, `${name}.pdf`)
  await download.saveAs(path)
  if (shots) await run('pdftoppm', ['-r', '60', '-png', path, join(shots, name)])
  const { stdout } = await run('pdftotext', ['-layout', path, '-'])
  return stdout.split('\f').slice(0, -1)
}

test('its cold treatment is proven hour by hour, and the monitoring record says so', async () => {
  await page.getByRole('row', { name: /S-000001/ }).click()
  await page.waitForURL(/shipment\/\d+/)
  await tab('Cold treatment')
  await page.getByRole('button', { name: 'Choose a protocol' }).click()
  await dialog()
    .getByRole('radio', { name: /T107-a/ })
    .check()
  await dialog().getByRole('button', { name: 'Choose a protocol' }).click()
  await section('Cold treatment').getByText('Running', { exact: true }).waitFor()
  await shoot('treatment')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Make a monitoring record' }).click()
  const download = page.getByRole('button', { name: 'Download', exact: true })
  await download.waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  const pages = await pagesOf(file, 'monitoring-record')
  const text = pages.join('\n')
  for (const part of ['Monitoring record of S-000001', 'MSKU 907032 3', 'Pulp 3', 'It is no certificate'])
    expect(text.replace(/\s+/g, ' ')).toContain(part)
})

test('papers are kept, conditions told by leg, and a link is made', async () => {
  await tab('Documents')
  await page.getByRole('button', { name: 'Add a document' }).click()
  const file = { name: 'bl.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await dialog().getByLabel('Title', { exact: true }).fill('Bill of lading 208N')
  await dialog().locator('input[type=file]').setInputFiles(file)
  await dialog().getByRole('button', { name: 'Add a document' }).click()
  await section('Documents').getByText('Bill of lading 208N').waitFor()
  await shoot('documents')
  await tab('Conditions')
  const whole = page.getByRole('table', { name: 'From start to end' })
  await whole
    .getByRole('row', { name: /Return air/ })
    .getByText(/h|min/)
    .waitFor()
  await shoot('conditions')
  expect(await axeFaults(page)).toEqual([])
  await tab('Links')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await dialog().getByLabel('Whom it is for', { exact: true }).fill('Maas Fruit')
  await dialog().getByRole('button', { name: 'Make a link' }).click()
  await section('Links').getByText('Maas Fruit').waitFor()
  await shoot('links')
})

test('it arrives and is completed; its report and its EPCIS document tell the journey', async () => {
  await tab('Journey')
  await milestone('Arrived', '2. Sea Cape Breeze', 2, 'Europe/Amsterdam')
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await dialog().getByRole('button', { name: 'Complete', exact: true }).dblclick()
  await section('S-000001').getByText('Completed', { exact: true }).first().waitFor()
  await tab('EPCIS')
  await section('EPCIS').getByText('The document is valid.').waitFor()
  await shoot('epcis')
  const saved = section('EPCIS').getByRole('button', { name: 'Download', exact: true })
  const [epcis] = await Promise.all([page.waitForEvent('download'), saved.click()])
  await epcis.saveAs(join(folder, 'epcis.json'))
  const document = JSON.parse(await readFile(join(folder, 'epcis.json'), 'utf8'))
  expect(document.type).toBe('EPCISDocument')
  const steps = document.epcisBody.eventList.map(({ bizStep }: { bizStep: string }) => bizStep)
  for (const step of ['departing', 'arriving']) expect(steps).toContain(step)
  if (existsSync(schemaPath)) {
    const formats = {
      uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    }
    const ajv = new Ajv({ strict: false, allErrors: true, formats })
    const isValid = ajv.compile(JSON.parse(await readFile(schemaPath, 'utf8')))
    expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true)
  } else console.log(`${schemaPath} is absent: the document was not compared with the schema of GS1`)

  const report = page.getByRole('button', { name: 'Download report' })
  const [pdf] = await Promise.all([page.waitForEvent('download'), report.click()])
  expect(pdf.suggestedFilename()).toBe('S-000001.pdf')
  const pages = await pagesOf(pdf, 'report')
  const text = pages.join('\n').replace(/\s+/g, ' ')
  for (const part of ['S-000001', 'Oranges', 'Cape Breeze', 'Citrusdal pack house', 'Return air'])
    expect(text).toContain(part)
})

const tabs = ['', 'conditions', 'devices', 'treatment', 'documents', 'events', 'ppecb', 'epcis', 'links']
/** Until nothing on the screen waits for an answer. */
const settled = () =>
  page.waitForFunction(
    () =>
      document.querySelector('.mantine-Skeleton-root[data-visible], [aria-busy=true]') === null &&
      document.querySelector('main h1, main h2') !== null,
  )

test.each([
  ['fr', 390, 'dark'],
  ['es', 1366, 'light'],
  ['sw', 390, 'light'],
] as const)(
  'every screen of export in %s, at %i px, has no fault that axe finds, and fits',
  async (locale, width, colorScheme) => {
    const changed = await page.request.patch(`${api}/auth/user/profile`, { headers, data: { locale } })
    expect(changed.ok()).toBe(true)
    await page.emulateMedia({ colorScheme })
    const { payload } = await (await page.request.get(`${api}/export/shipments`, { headers })).json()
    const shipment = `dispatch/shipment/${payload.data[0].id}`
    const screens = ['dispatch', 'dispatch/add-shipment', ...tabs.map((name) => `${shipment}${name && `?tab=${name}`}`)]
    for (const path of [...screens, 'dispatch/origin', 'calibrations', 'settings']) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`/export/${path}`)
      await settled()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      expect(await axeFaults(page), path).toEqual([])
      await shoot(`${path.replace(/\W+/g, '-')}-${locale}-${width}`)
      const other = width === 390 ? 1366 : 390
      await page.setViewportSize({ width: other, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(other)
      await shoot(`${path.replace(/\W+/g, '-')}-${locale}-${other}`)
    }
  },
)

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
