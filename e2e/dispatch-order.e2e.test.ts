import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
const api = '/app/api/v1/dispatch'
let stage: Stage
let page: Page
let headers: Record<string, string>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  await foundCompany(stage, page.request, 'Lagos Cold Stores', 'admin@order.test')
  headers = await logIn(page, 'admin@order.test')
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
    await page.screenshot({ path: join(shots, `dispatch-${name}-${width}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

async function send(method: 'post' | 'patch', path: string, data: object) {
  const answer = await page.request[method](api + path, { headers, data })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()).payload
}

let made = 0
/** An order to two receivers, with a driver and a van of its own, shown. */
async function openOrder(): Promise<{ id: string; trackingCode: string }> {
  made += 1
  const phone = '+234 803 123 4567'
  const driver = await send('post', '/drivers', { name: `Musa ${'ABCDEF'[made]}`, phone })
  const vehicle = await send('post', '/vehicles', { name: `Van ${made}`, plate: `LAG ${made} XY`, type: 'truck' })
  const stop = (address: string, lat: number) => ({ address, lat, lon: 3.39 })
  const receiver = (name: string, lat: number) => ({
    ...{ name, stop: stop('Apapa', lat), items: [{ name: 'Vaccine box', quantity: 2 }] },
  })
  const order = await send('post', '/orders', {
    ...{ sender: { name: 'Cold Store' }, pickup: stop('Ikeja', 6.6), driverId: driver.id, vehicleId: vehicle.id },
    ...{ receivers: [receiver('Ada', 6.45), receiver('Bola', 6.4)] },
    deliverBy: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await page.goto(`/dispatch/order/${order.id}`)
  await page.getByRole('heading', { name: order.trackingCode, level: 1 }).waitFor()
  return order
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const stopOf = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })

test('an order is started, a receiver snoozed, another one served, and it is ended', async () => {
  await openOrder()
  await shoot('order-new')
  await button('Start dispatch').click()
  await said('No device is on it: no conditions will be known')
  await shoot('order-start')
  await inDialog('Start dispatch').click()
  await said('Dispatch started successfully')
  await said('In Progress')
  await stopOf('Ada').getByRole('button', { name: 'Snooze' }).click()
  await dialog().getByLabel('Reason').fill('Closed today')
  await inDialog('Snooze').click()
  await said('Ada snoozed')
  await said('Closed today')
  await stopOf('Bola').getByRole('button', { name: 'Outcome' }).click()
  await inDialog('Save').click()
  await said('Outcome of Bola kept')
  await said('Snoozed')
  await shoot('order-under-way')
  expect(await axeFaults(page)).toEqual([])
  await stopOf('Ada').getByRole('button', { name: 'Unsnooze' }).click()
  await said('Ada is waited for again')
  await button('End order').click()
  await dialog().getByRole('combobox', { name: 'Ada' }).click()
  await page.getByRole('option', { name: 'Refused' }).click()
  await dialog().getByLabel('Reason').fill('Too warm')
  await shoot('order-end')
  await inDialog('End order').click()
  await said('Order ended successfully')
  await said('Completed')
  await said('Too warm')
  await button('End order').waitFor({ state: 'detached' })
  // The page asked for the live position once more and was refused, because the order has ended: nobody is told of that.
  expect(await page.locator('[data-kind="error"]').count()).toBe(0)
  await shoot('order-ended')
})

test('one is cancelled under way with a reason, which the server asks for', async () => {
  const { id, trackingCode } = await openOrder()
  await send('patch', `/orders/${id}/${trackingCode}/start`, {})
  // Somebody else started it: the page hears of that by itself.
  await said('In Progress')
  await button('Cancel order').click()
  await inDialog('Cancel order').click()
  await said('This is needed.')
  await dialog().getByLabel('Reason').fill('Recalled')
  await dialog().getByLabel('Where the goods go').fill('Back to Ikeja')
  await inDialog('Cancel order').click()
  await said('Order cancelled successfully')
  await said('Back to Ikeja')
})

test('what was started meanwhile by somebody else is said with who and when', async () => {
  const { id, trackingCode } = await openOrder()
  await button('Start dispatch').click()
  await said('No device is on it: no conditions will be known')
  await send('patch', `/orders/${id}/${trackingCode}/start`, {})
  await inDialog('Start dispatch').click()
  await said(/started this order at/)
})
