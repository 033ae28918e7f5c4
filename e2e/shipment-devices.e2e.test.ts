import { join } from 'node:path'
import { luhnDigit } from '@isotherm/simulator/fleet.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { backdate } from './charted-pages.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

/* A device leaves a shipment under way, and another one joins it, by the form; the pages tell of both. */

const shots = process.env.SHOTS
const api = '/app/api/v1'
const hourMs = 3_600_000
const now = Date.now()
const names = ['First logger', 'Second logger', 'Spare logger']
let stage: Stage
let page: Page
let headers: Record<string, string>
let tries = 0

beforeAll(async () => {
  stage = await openStage()
})
/** A company with devices of its own for each try: those of the one before are on a shipment. */
beforeEach(async () => {
  tries += 1
  stage.faults.splice(0)
  const imeis = names
    .map((_, n) => `35880011850${String(tries).padStart(2, '0')}${n}`)
    .map((digits) => digits + luhnDigit(digits))
  const email = `export-${tries}@devices.test`
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Cape Citrus', email)
  headers = await logIn(page, email)
  for (const [index, imei] of imeis.entries()) {
    const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
    await post('/devices/setup', { imei, licenceKey: key, name: names[index], intervalS: 600, limits })
  }
  await backdate(stage, now - 72 * hourMs)
  for (const [index, imei] of imeis.entries()) {
    // The spare one lies in a warm office.
    const readings = Array.from({ length: 48 }, (_, step) => ({
      at: new Date(now - (47 - step) * 600_000).toISOString(),
      temperatureC: index === 2 ? 24 : 5,
    }))
    const authorization = `Bearer ${secrets.get(imei)}`
    const answer = await page.request.post(`${api}/ingest/${imei}`, { headers: { authorization }, data: { readings } })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
})
afterAll(() => stage?.close())

async function post(path: string, data: object) {
  const answer = await page.request.post(api + path, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()).payload
}

const wider = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

async function judge(name: string) {
  expect([name, await axeFaults(page)]).toEqual([name, []])
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(async () => [width, Math.max(0, await wider())]).toEqual([width, 0])
    if (shots) await page.screenshot({ path: join(shots, `${name}-${width}.png`), fullPage: true })
  }
}

test('a device leaves a shipment under way and another one joins it', { timeout: 240_000 }, async () => {
  const end = (name: string, country: string) => ({ name, region: 'Coast', country })
  const origin = await post('/export/origins', end('Citrusdal pack house', 'ZA'))
  const destination = await post('/export/destinations', end('Rotterdam importer', 'NL'))
  const { data: devices } = (await (await page.request.get(`${api}/devices?sort=name`, { headers })).json()).payload
  const given = devices.slice(0, 2).map(({ id }: { id: string }) => ({ id, place: 'air' }))
  const { id } = await post('/export/shipments', {
    ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
    ...{ legs: [{ mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam' }], devices: given },
  })
  const at = new Date(now - 6 * hourMs).toISOString()
  const started = await page.request.patch(`${api}/export/shipments/${id}`, { headers, data: { state: 'ongoing', at } })
  expect(started.ok(), await started.text()).toBe(true)

  await page.goto(`/export/dispatch/add-shipment?edit=${id}`)
  const choice = page.getByRole('combobox', { name: 'Devices with the goods' })
  await choice.click()
  await page.getByRole('option', { name: 'Second logger', exact: true }).click()
  await page.getByText('Taken off when you save: Second logger.').waitFor()
  await choice.fill('Spare')
  await page.getByRole('option', { name: 'Spare logger', exact: true }).click()
  await page.keyboard.press('Escape')
  await judge('form')
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()

  await page.getByRole('radiogroup', { name: 'Parts of the shipment' }).getByText('Devices', { exact: true }).click()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Spare logger')
    .getByText(/^Joined \d/)
    .waitFor()
  await row('Second logger')
    .getByText(/^Taken off \d/)
    .waitFor()
  expect(
    await row('First logger')
      .getByText(/Joined|Taken off/)
      .count(),
  ).toBe(0)
  // The spare one is as warm as its office was.
  for (const text of ['Out of range now: 1', 'In range now: 1']) await page.getByText(text, { exact: true }).waitFor()
  await judge('devices')
  await page.goto('/export/dispatch')
  const listed = row('S-000001')
  for (const text of ['Out of range now: 1', 'In range now: 1']) await listed.getByText(text, { exact: true }).waitFor()
  await judge('list')

  await page.goto(`/export/dispatch/add-shipment?edit=${id}`)
  await choice.click()
  await page.getByRole('option', { name: 'First logger', exact: true }).waitFor()
  expect(await page.getByRole('option', { name: 'Second logger', exact: true }).count()).toBe(0)

  const { recordId } = (await (await page.request.get(`${api}/export/shipments/${id}`, { headers })).json()).payload
  await page.goto(`/records/${recordId}`)
  await row('Second logger')
    .getByText(/^Taken off \d/)
    .waitFor()
  await judge('record')
  expect(stage.faults).toEqual([])
})
