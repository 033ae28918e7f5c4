import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
const imei = '490154203237518'
const hour = 3_600_000
let stage: Stage
let page: Page
let shipment: string

/** A shipment by lorry and vessel that left three days ago and is at sea, with a probe that has just begun to measure. */
beforeAll(async () => {
  stage = await openStage()
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Cape Citrus', 'export@evidence.test')
  const headers = await logIn(page, 'export@evidence.test')
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/app/api/v1${path}`, { headers, data })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()).payload
  }
  const device = await post('/devices/setup', {
    imei,
    licenceKey: key,
    name: 'Probe 7',
    limits: { temperatureMaxC: 4 },
  })
  await measure(page, imei, secrets.get(imei) ?? '', { temperatureC: 2.5 })
  const origin = await post('/export/origins', { name: 'Citrusdal', country: 'ZA' })
  const destination = await post('/export/destinations', {
    name: 'Barendrecht',
    country: 'NL',
    companyName: 'Fruit Import',
  })
  const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
  const made = await post('/export/shipments', {
    ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
    ...{ budget: { aboveC: 4, aboveMinutes: 720 }, devices: [{ id: String(device.id), place: 'pulp1' }] },
    legs: [
      {
        mode: 'road',
        carrierName: 'Cape Haulage',
        fromName: 'Citrusdal',
        toName: 'Cape Town',
        etd: ago(72),
        eta: ago(68),
      },
      {
        ...{ mode: 'sea', carrierName: 'Northern Line', vesselName: 'Orion', fromPort: 'ZACPT', toPort: 'NLRTM' },
        ...{ etd: ago(40), eta: ago(-400) },
      },
    ],
  })
  shipment = made.id
  const [lorry, vessel] = made.legs
  for (const [kind, legId, hours] of [
    ['departed', lorry.id, 72],
    ['arrived', lorry.id, 66],
    ['loaded', vessel.id, 42],
    ['departed', vessel.id, 40],
  ])
    await post(`/export/shipments/${shipment}/milestones`, { kind, legId, at: ago(hours) })
})
afterAll(() => stage?.close())

async function shoot(name: string) {
  if (!shots) return
  for (const [width, colorScheme] of [
    [1366, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.screenshot({ path: join(shots, `evidence-${name}-${width}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

test('the conditions of a shipment say who held the goods, and whether it arrives within its budget', async () => {
  await page.goto(`/export/dispatch/shipment/${shipment}?tab=conditions`)
  const custody = page.getByRole('region', { name: 'Who held the goods' })
  await custody.getByText('Haulier: Cape Haulage').first().waitFor()
  await custody.getByText('Terminal: Cape Town').first().waitFor()
  await custody
    .getByRole('row', { name: /Carrier: Northern Line/ })
    .first()
    .waitFor()
  const outlook = page.getByRole('region', { name: 'Will it arrive within its budget?' })
  await outlook.getByText('Not known').waitFor()
  await outlook.getByText('It has measured for less than a day.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('conditions')
})

test('scorecards are of lanes or carriers, in the period that is chosen', async () => {
  await page.goto('/export/scorecards')
  await page.getByRole('row', { name: /Citrusdal – Barendrecht 1/ }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('lanes')
  await page.getByText('Carriers', { exact: true }).click()
  await page.getByRole('row', { name: /Northern Line 1/ }).waitFor()
  await page.goto('/export/scorecards?from=2020-01-01&to=2020-01-31')
  await page.getByText('No shipment started in this period.').waitFor()
  expect(stage.faults).toEqual([])
})
