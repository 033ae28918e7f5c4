import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { estimateArrivals } from '../server/src/features/order-tracking/jobs.ts'
import { openJobAsker } from '../server/test/job-asker.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'
const email = 'dispatch@tracking.test'
const imei = '490154203237518'
const ikeja = { address: 'Ikeja', lat: 6.6018, lon: 3.3515, country: 'NG' }
const apapa = { address: 'Apapa', lat: 6.4489, lon: 3.3592, country: 'NG' }

let stage: Stage
let jobs: Awaited<ReturnType<typeof openJobAsker>>
let page: Page
let headers: Record<string, string>
let secret: string
let order: { id: string; trackingCode: string }

const send = async (method: 'post' | 'patch', path: string, data: object = {}) => {
  const answer = await page.request[method](`${api}${path}`, { headers, data })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return (await answer.json()).payload
}

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  jobs = await openJobAsker(stage.databaseUrl)
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  secret = secrets.get(imei) ?? ''
  await foundCompany(stage, page.request, 'Cold Ltd', email)
  headers = await logIn(page, email)
  const data = { imei, licenceKey: key, name: 'Box 17', limits: { preset: 'refrigerated' } }
  const device = await send('post', '/devices/setup', data)
  const driver = await send('post', '/dispatch/drivers', { name: 'Musa Bello', phone: '+2348031234567' })
  const vehicle = await send('post', '/dispatch/vehicles', { name: 'Van', plate: 'ABC-123', type: 'truck' })
  order = await send('post', '/dispatch/orders', {
    ...{ sender: { name: 'Cold Store' }, pickup: ikeja, driverId: driver.id, vehicleId: vehicle.id },
    ...{ deliverBy: new Date(Date.now() + 86_400_000).toISOString(), devices: [{ id: device.id }] },
    receivers: [{ name: 'Hope Clinic', stop: apapa, items: [{ name: 'Vaccine box', quantity: 2 }] }],
  })
})
afterAll(async () => {
  await jobs?.close()
  await stage?.close()
})

const reading = (temperatureC: number, lat: number, lon: number) =>
  measure(page, imei, secret, { temperatureC, humidityPct: 55, batteryPct: 90, lat, lon })
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const past = () => page.getByRole('region', { name: 'While it was under way' })

/** No fault in either theme, on a desk and on a phone. */
async function judge() {
  for (const [width, colorScheme] of [
    [1366, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(() => document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null)
    expect([width, await axeFaults(page)]).toEqual([width, []])
    const tooWide = () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))
    await expect.poll(tooWide, { message: `too wide at ${width}` }).toBe(0)
  }
  await page.setViewportSize({ width: 1366, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('an order that is not under way cannot be tracked', async () => {
  await page.goto(`/dispatch/order/${order.id}`)
  await said("Oops! Can't Track Order")
  await said('The order cannot be tracked until it is on its way.')
  expect(await past().count()).toBe(0)
  await judge()
})

test('under way it is seen on the map, with its stops, chart and readings, and moves by itself', async () => {
  await reading(5.1, ikeja.lat, ikeja.lon)
  await send('patch', `/dispatch/orders/${order.id}/${order.trackingCode}/start`)
  await reading(5.3, 6.56, 3.353)
  await jobs.ask(estimateArrivals)
  await page.goto(`/dispatch/order/${order.id}`)
  await page.getByRole('region', { name: 'Stops', exact: true }).getByText('1. Hope Clinic').waitFor()
  await page
    .getByRole('region', { name: 'Stops', exact: true })
    .getByText(/^Expected between/)
    .waitFor()
  await said(/^Position by Box 17/)
  const now = page.getByRole('region', { name: 'Devices', exact: true })
  await now.getByText('5.3', { exact: false }).waitFor()
  const rows = past().getByRole('row')
  await past().getByText('5.3').first().waitFor()
  await past().locator('canvas').first().waitFor()
  await page.locator('.maplibregl-canvas').first().waitFor()
  await judge()
  // The next reading is there without a reload.
  const before = await rows.count()
  await reading(9.4, 6.52, 3.355)
  await now.getByText('9.4', { exact: false }).waitFor()
  await now.getByText(/too warm/).waitFor()
  await page.reload()
  await past().getByText('9.4').first().waitFor()
  await expect.poll(() => rows.count()).toBeGreaterThan(before)
  await judge()
})

test('the list, the board and the map of what is under way have it; its mark tells of it', async () => {
  await page.goto('/dispatch/overview')
  await said(order.trackingCode)
  await page.getByRole('region', { name: 'Under way' }).getByText('ABC-123').first().waitFor()
  await judge()
  await page.goto('/dispatch/overview?look=board')
  await page.getByRole('region', { name: 'Musa Bello' }).getByRole('link', { name: order.trackingCode }).waitFor()
  await judge()
})

test('of an order that is over, the way and the readings stay', async () => {
  const settle = { rest: { outcome: 'delivered' } }
  await send('patch', `/dispatch/orders/${order.id}/${order.trackingCode}/end`, settle)
  await page.goto(`/dispatch/order/${order.id}`)
  await said(/This order is over/)
  await past().getByText('9.4').first().waitFor()
  await judge()
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
