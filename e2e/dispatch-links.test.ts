import { readlink } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { chromium, type Locator, type Page, type Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureChromium } from '../scripts/run/chromium.mjs'
import { axeFaults, contrastFaults } from './axe.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'
const email = 'dispatch@links.test'
const imei = '490154203237518'
const apapa = { lat: 6.4489, lon: 3.3592 }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

let stage: Stage
let admin: Page
let headers: Record<string, string>
let secret: string
let deviceId: string
let crew: { driverId: string; vehicleId: string }

const send = async (method: 'get' | 'post' | 'patch', path: string, data?: object) => {
  const answer = await admin.request[method](`${api}${path}`, { headers, ...(data && { data }) })
  const body = await answer.json()
  expect(answer.ok(), JSON.stringify(body)).toBe(true)
  return body.payload
}

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  admin = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  secret = secrets.get(imei) ?? ''
  await foundCompany(stage, admin.request, 'Cold Ltd', email)
  headers = await logIn(admin, email)
  const data = { imei, licenceKey: key, name: 'Box 17', limits: { preset: 'refrigerated' } }
  deviceId = (await send('post', '/devices/setup', data)).id
  const driver = await send('post', '/dispatch/drivers', { name: 'Musa Bello', phone: '+2348031234567' })
  const vehicle = await send('post', '/dispatch/vehicles', { name: 'Van', plate: 'ABC-123', type: 'truck' })
  crew = { driverId: driver.id, vehicleId: vehicle.id }
})
afterAll(() => stage?.close())

async function measure(temperatureC: number, at: { lat: number; lon: number }) {
  const answer = await admin.request.post(`${api}/ingest/${imei}`, {
    ...{ headers: { authorization: `Bearer ${secret}` }, data: { temperatureC, ...at } },
  })
  expect(answer.ok()).toBe(true)
}

const place = { address: 'Apapa', ...apapa, country: 'NG' }
const receiver = (name: string, more = {}) => ({
  ...{ name, stop: { ...place, ...more }, items: [{ name: 'Vaccine box', quantity: 2 }] },
})

/** A new order, with the addresses of the driver's and the first receiver's page. */
async function anOrder(receivers: object[], devices: object[] = []) {
  const order = await send('post', '/dispatch/orders', {
    ...{ sender: { name: 'Cold Store' }, pickup: { ...place, address: 'Ikeja', lat: 6.6018, lon: 3.3515 } },
    ...{ deliverBy: new Date(Date.now() + 86_400_000).toISOString(), receivers, devices, ...crew },
  })
  const driver = (await send('post', `/dispatch/orders/${order.id}/driver-link`)).url as string
  const path = `/dispatch/orders/${order.id}/receivers/${order.receiverList[0].id}/link`
  const track = (await send('post', path)).url as string
  const here = (url: string) => new URL(url).pathname + new URL(url).hash
  return { id: order.id as string, code: order.trackingCode as string, drive: here(driver), track: here(track) }
}

const hours = (count: number) => count * 3_600_000

/** The order was made yesterday. */
const madeEarlier = (id: string) =>
  stage.inDatabase((client) =>
    client.query(
      `begin; set local role pipeline; update orders set created_at = now() - interval '1 day' where id = ${id}; commit`,
    ),
  )

/** Ends the browser of a profile at once, as a phone whose battery is taken out. Its lock names its process. */
const kill = async (profile: string) => {
  const pid = Number((await readlink(`${profile}/SingletonLock`)).split('-').at(-1))
  process.kill(pid, 'SIGKILL')
}

/** These pages follow the system: in the dark, all that axe finds wrong with their colours. */
async function faultsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(18, 22, 27)')
  const faults = await contrastFaults(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

/** Nothing lies over the middle of it, as the bar of the temperature may. */
const isInSight = (place: Locator) =>
  place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2) === element
  })

const sign = async (page: Page) => {
  const glass = page.locator('canvas.glass')
  await glass.scrollIntoViewIfNeeded()
  const box = await glass.boundingBox()
  if (!box) throw new Error('there is no glass')
  await page.mouse.move(box.x + 20, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 60, { steps: 8 })
  await page.mouse.up()
}

test('a receiver follows the delivery, signs at the door, and is told in their language; few kilobytes, nobody else is asked', async () => {
  const order = await anOrder([receiver('Hope <i>Clinic</i>')], [{ id: deviceId }])
  // A reading of before the start holds on.
  await measure(5.1, { lat: 6.55, lon: 3.35 })
  await send('patch', `/dispatch/orders/${order.id}/${order.code}/start`, {})
  const page = await stage.page(phone)
  const scripts = new Map<string, Response>()
  const hosts = new Set<string>()
  page.on('response', (response) => {
    const url = new URL(response.url())
    hosts.add(url.host)
    if (url.pathname.endsWith('.js')) scripts.set(url.pathname, response)
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const answer = await page.goto(order.track)
  expect(answer?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
  await page.getByRole('heading', { name: 'Your delivery is on its way.' }).waitFor()
  await page.getByText('In range').waitFor()
  await page
    .getByText(/5\.1.°C/)
    .first()
    .waitFor()
  await page.getByText('You can sign here once the vehicle has arrived.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(await faultsInTheDark(page)).toEqual([])
  expect([...hosts]).toEqual([new URL(stage.base).host])
  // Before the page is loaded again: the browser then forgets what it had.
  const sizes = await Promise.all([...scripts.values()].map(async (script) => gzipSync(await script.body()).length))
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024)
  const token = order.track.split('#')[1] ?? ''
  expect(asked.filter((url) => url.split('#')[0]?.includes(token))).toEqual([])
  await measure(5.4, apapa)
  const driver = await stage.page(phone)
  await driver.goto(order.drive)
  await driver.getByRole('button', { name: 'I am there' }).click()
  await driver.getByRole('button', { name: 'Hand over' }).click()
  expect(await isInSight(driver.getByRole('heading', { name: 'Hand-over' }))).toBe(true)
  await driver.context().close()
  await page.reload()
  await page.getByRole('button', { name: 'Take the goods' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Ada <b>Obi</b>')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Please give your name and sign.').waitFor()
  await sign(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Signed by Ada <b>Obi</b>').waitFor()
  await page.getByLabel('Language').selectOption('sw')
  await page.getByText('Mzigo wako umekabidhiwa.').waitFor()
  await page.goto('/track/nonsense')
  await page.getByText('Kiungo hiki si halali').waitFor()
  await page.context().close()
})

test('a driver goes on without a network for three hours; the phone is killed in between; then all is told in order', async () => {
  const order = await anOrder([receiver('First'), receiver('Second', { lat: 6.43, lon: 3.42 })])
  const profile = `${stage.dataDir}/phone`
  const executablePath = ensureChromium()
  const open = async (isOffline: boolean) => {
    const context = await chromium.launchPersistentContext(profile, {
      ...{ executablePath, args: ['--no-sandbox', '--headless=new'], baseURL: stage.base, locale: 'en-GB' },
      ...phone,
    })
    context.setDefaultTimeout(60_000)
    await context.setOffline(isOffline)
    return { context, page: context.pages()[0] ?? (await context.newPage()) }
  }
  // On the phone it is three hours earlier than when its acts are heard.
  await madeEarlier(order.id)
  const first = await open(false)
  await first.page.clock.setFixedTime(new Date(Date.now() - hours(3)))
  await first.page.goto(order.drive)
  await first.page.getByRole('button', { name: 'Start' }).click()
  await first.page.getByRole('button', { name: 'I am there' }).waitFor()
  await first.page.getByRole('button', { name: 'QR code for the receiver' }).click()
  await first.page.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await axeFaults(first.page)).toEqual([])
  expect(await faultsInTheDark(first.page)).toEqual([])
  // The worker has the page and all of its files, which it fetches one after the other.
  await first.page.waitForFunction(async () => {
    const cache = await caches.open('isotherm-drive')
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    return ['/drive', ...loaded.filter((path) => path.startsWith('/assets/'))].every((path) => kept.has(path))
  })
  await first.context.setOffline(true)
  await first.page.getByRole('button', { name: 'I am there' }).click()
  await first.page.getByText('Waiting to be sent: 1').waitFor()
  await first.page.getByRole('button', { name: 'Hand over' }).click()
  await first.page.getByLabel('Name', { exact: true }).fill('Ada Obi')
  await sign(first.page)
  await first.page.getByRole('button', { name: 'Confirm' }).click()
  await first.page.getByText('Waiting to be sent: 2').waitFor()
  await kill(profile)
  await first.context.close().catch(() => undefined)

  const second = await open(true)
  await second.page.goto(order.drive)
  await second.page.getByText('Waiting to be sent: 2').waitFor()
  await second.page.getByRole('button', { name: 'Drive on' }).click()
  await second.page.getByRole('button', { name: 'I am there' }).click()
  await second.page.getByRole('button', { name: 'Hand over' }).click()
  await second.page.getByLabel('I refuse the goods').check()
  await second.page.getByLabel('Reason', { exact: true }).fill('Too warm')
  await second.page.getByRole('button', { name: 'Confirm' }).click()
  await second.page.getByText('Waiting to be sent: 5').waitFor()
  await second.page.reload()
  await second.page.getByText('Waiting to be sent: 5').waitFor()
  await second.context.setOffline(false)
  await second.page.getByRole('button', { name: 'End the trip' }).click()
  await second.page.getByRole('heading', { name: 'The trip is over' }).waitFor()
  await second.page.getByText(/Waiting to be sent/).waitFor({ state: 'detached' })
  await second.context.close()

  const events = await send('get', `/dispatch/orders/${order.id}/events`)
  const told = events.filter(({ source }: { source: string }) => source === 'driverLink')
  const kinds = told.map(({ kind }: { kind: string }) => kind)
  expect(kinds.filter((kind: string) => !['linkMade', 'warned'].includes(kind))).toEqual([
    ...['started', 'arrived', 'handedOver', 'departed', 'arrived', 'handedOver', 'ended'],
  ])
  const delays = told.map(
    (one: { occurredAt: string; recordedAt: string }) => Date.parse(one.recordedAt) - Date.parse(one.occurredAt),
  )
  expect(delays.slice(1, 3).every((delay: number) => delay > hours(2.9))).toBe(true)
  expect(delays.at(-1)).toBeLessThan(hours(0.5))
})
