import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { estimateArrivals } from '../server/src/features/order-tracking/jobs.ts'
import { openJobAsker } from '../server/test/job-asker.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, provider, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

/* A day of dispatch by clicks: a dispatcher, a driver with a phone on a slow line, a receiver. With SHOTS in all languages, and with pictures. */

const shots = process.env.SHOTS
const locales = shots ? (['en', 'fr', 'es', 'sw'] as const) : (['en'] as const)
type Locale = (typeof locales)[number]

const regions = { en: 'en-GB', fr: 'fr-FR', es: 'es-ES', sw: 'sw-KE' }
const imeis = { en: '490154203237518', fr: '490154203237526', es: '490154203237534', sw: '490154203237542' }
const api = '/app/api/v1'
const ikeja = { lat: 6.6018, lon: 3.3515 }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

let stage: Stage
let jobs: Awaited<ReturnType<typeof openJobAsker>>
const secrets = new Map<string, string>()

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1', INSURER_TRIAL: '0' })
  jobs = await openJobAsker(stage.databaseUrl)
  const plan = ['--name', 'Cold cargo', '--insurer', 'Leadway', '--currency', 'NGN', '--percent', '0.35']
  await provider(stage, 'insurances', 'add', ...plan, '--max-worth', '50000000')
})
afterAll(async () => {
  await jobs?.close()
  await stage?.close()
})

const spaces = ['common', 'contacts', 'driverPage', 'drivers', 'insurances', 'orderEvidence', 'orderLife'] as const
const more = ['orderLinks', 'orders', 'orderTracking', 'receiverPage', 'vehicles'] as const

/** The texts of a language by namespace and key, as people read them. */
async function textsOf(locale: Locale) {
  const file = async (name: string) =>
    JSON.parse(await readFile(new URL(`../contract/locales/${locale}/${name}.json`, import.meta.url), 'utf8'))
  const texts = Object.fromEntries(
    await Promise.all([...spaces, ...more].map(async (name) => [name, await file(name)])),
  )
  return (key: string, values: Record<string, string | number> = {}): string => {
    const [name = '', path = ''] = key.split(':')
    const text = path.split('.').reduce((at, part) => at?.[part], texts[name])
    if (typeof text !== 'string') throw new Error(`no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? ''))
  }
}

interface Walker {
  locale: Locale
  page: Page
  say: Awaited<ReturnType<typeof textsOf>>
}

const looks = [
  [390, 844, 'light'],
  [390, 844, 'dark'],
  [1366, 900, 'light'],
  [1366, 900, 'dark'],
] as const

/** Pictures of a screen, which is nowhere wider than its window. */
async function shoot({ locale, page }: Walker, name: string, widths = [390, 1366]) {
  if (!shots) return
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
  const before = page.viewportSize()
  for (const [width, height, colorScheme] of looks) {
    if (!widths.includes(width)) continue
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const path = join(shots, `day-${name}-${locale}-${width}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage: true })
    expect([name, locale, width, Math.max(0, wide)]).toEqual([name, locale, width, 0])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
}

/** Targets that a thumb cannot hit well: lower or narrower than 44 px. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, a, select, input:not(.hidden):not([type=radio]), textarea, label.choice')]
      .map((element) => ({ text: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 44))
      .map(({ text, box }) => `${text}: ${Math.round(box.width)} x ${Math.round(box.height)}`),
  )

/** A page of a link has no fault that axe knows, and nothing too small for a thumb. */
async function judge(walker: Walker, name: string) {
  expect([name, await axeFaults(walker.page), await smallTargets(walker.page)]).toEqual([name, [], []])
  await shoot(walker, name, [390])
}

const dialog = ({ page }: Walker) => page.getByRole('dialog')
const press = ({ page }: Walker, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const pressInside = (walker: Walker, name: string) => dialog(walker).getByRole('button', { name, exact: true }).click()
const said = ({ page }: Walker, text: string | RegExp) => page.getByText(text).first().waitFor()

async function dispatcherOf(locale: Locale): Promise<Walker & { deviceId: string; headers: Record<string, string> }> {
  const email = `amina-${locale}@day.test`
  const page = await stage.page({ locale: regions[locale], permissions: ['clipboard-read', 'clipboard-write'] })
  await foundCompany(stage, page.request, 'Lagos Cold Stores', email)
  const known = await logIn(page, email)
  await page.request.patch(`${api}/auth/user/profile`, { headers: known, data: { locale } })
  const headers = await logIn(page, email)
  const imei = imeis[locale]
  // A licence belongs to one company.
  const { key: licenceKey, secrets: made } = await stockUp(stage, [imei])
  secrets.set(imei, made.get(imei) ?? '')
  const data = { imei, licenceKey, name: 'Box 17', limits: { preset: 'refrigerated' } }
  const device = await page.request.post(`${api}/devices/setup`, { headers, data })
  expect(device.ok(), await device.text()).toBe(true)
  const walker = { locale, page, say: await textsOf(locale) }
  await measure(page, imei, secrets.get(imei) ?? '', { temperatureC: 5.1, batteryPct: 90, ...ikeja })
  return { ...walker, headers, deviceId: (await device.json()).payload.id }
}

interface Place {
  name: string
  address: string
  lat: string
  lon: string
}
const places: Place[] = [
  { name: 'Ikeja Cold Store', address: '12 Allen Avenue, Ikeja', lat: '6.6018', lon: '3.3515' },
  { name: 'Hope Clinic', address: '4 Creek Road, Apapa', lat: '6.4489', lon: '3.3592' },
  { name: 'Saint Nicholas Hospital', address: '57 Campbell Street, Lagos Island', lat: '6.4500', lon: '3.3990' },
  { name: 'Lekki Pharmacy', address: '8 Admiralty Way, Lekki', lat: '6.4478', lon: '3.4723' },
]

/** A number as it is written where the language is spoken. */
const typed = (field: Locator, locale: Locale, number: string) =>
  field.fill(locale === 'fr' || locale === 'es' ? number.replace('.', ',') : number)

async function addContacts(walker: Walker) {
  const { page, say, locale } = walker
  await page.goto('/dispatch/contacts')
  await said(walker, say('contacts:empty.title'))
  await shoot(walker, '01-no-contacts')
  for (const { name, address, lat, lon } of places) {
    await press(walker, say('contacts:add'))
    const field = (key: string) => dialog(walker).getByLabel(say(`contacts:fields.${key}`), { exact: true })
    await field('name').fill(name)
    await field('phone').fill(`+23480312345${places.findIndex((one) => one.name === name) + 60}`)
    await field('address').fill(address)
    await typed(field('lat'), locale, lat)
    await typed(field('lon'), locale, lon)
    if (name === 'Hope Clinic') {
      expect(await axeFaults(page)).toEqual([])
      await shoot(walker, '02-contact')
    }
    await pressInside(walker, say('contacts:add'))
    await dialog(walker).waitFor({ state: 'detached' })
  }
  await said(walker, 'Lekki Pharmacy')
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '03-contacts')
}

async function addCrew(walker: Walker) {
  const { page, say } = walker
  await page.goto('/dispatch/vehicles')
  await press(walker, say('vehicles:add'))
  await dialog(walker).getByLabel(say('vehicles:fields.name'), { exact: true }).fill('Blue van')
  await dialog(walker).getByLabel(say('vehicles:fields.plate'), { exact: true }).fill('LAG 482 XY')
  await shoot(walker, '04-vehicle')
  await pressInside(walker, say('vehicles:add'))
  await said(walker, say('vehicles:added'))
  await shoot(walker, '05-vehicles')
  await page.goto('/dispatch/drivers')
  await press(walker, say('drivers:add'))
  await dialog(walker).getByLabel(say('drivers:fields.name'), { exact: true }).fill('Musa Bello')
  await dialog(walker).getByLabel(say('drivers:fields.phone'), { exact: true }).fill('+2348031234567')
  await shoot(walker, '06-driver')
  await pressInside(walker, say('drivers:add'))
  await said(walker, say('drivers:added'))
  await press(walker, say('common:list.rowActions', { name: 'Musa Bello' }))
  await page.getByRole('menuitem', { name: say('drivers:assign.action'), exact: true }).click()
  await dialog(walker).getByRole('combobox').click()
  await page.getByRole('option', { name: 'Blue van · LAG 482 XY' }).click()
  await pressInside(walker, say('drivers:assign.action'))
  await said(walker, say('drivers:assign.done'))
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '07-drivers')
}

async function addOrder(walker: Walker) {
  const { page, say } = walker
  await page.goto('/dispatch/overview')
  await shoot(walker, '08-no-orders')
  await press(walker, say('orders:add'))
  await page.waitForURL('**/dispatch/add-dispatch')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const find = async (where: string, name: string) => {
    await part(where)
      .getByRole('combobox', { name: say('orders:form.contact') })
      .fill(name)
    await page.getByRole('option', { name }).click()
  }
  await shoot(walker, '09-empty-form')
  await find(say('orders:form.sender'), 'Ikeja Cold Store')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const day = part(say('orders:form.sender')).getByLabel(say('orders:form.deliverBy'), { exact: true })
  await day.fill(tomorrow)
  await day.press('Tab')
  for (const [index, { name }] of places.slice(1).entries()) {
    if (index > 0) await press(walker, say('orders:form.addReceiver'))
    const where = say('orders:form.receiver', { number: index + 1 })
    await find(where, name)
    const field = (key: string, values = {}) =>
      part(where).getByLabel(say(`orders:form.${key}`, values), { exact: true })
    await field('itemName').fill('Vaccine box')
    await field('quantity').fill('2')
    await typed(field('weight'), walker.locale, '4.5')
    await field('worthIn', { currency: 'NGN' }).fill('150000')
  }
  await page.getByRole('combobox', { name: say('orders:form.driver'), exact: true }).click()
  await page.getByRole('option', { name: 'Musa Bello · Blue van' }).click()
  await page.getByRole('combobox', { name: say('orders:form.devices'), exact: true }).click()
  await page.getByRole('option', { name: /Box 17/ }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel(/^Cold cargo, Leadway/).check()
  await page.getByLabel(say('orders:form.fee'), { exact: true }).fill('12000')
  const price = part(say('orders:price.title'))
  await price.getByText(say('orders:price.insurance', { name: 'Cold cargo' })).waitFor()
  await price.getByText(say('orders:price.total')).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '10-full-form')
  await press(walker, say('orders:form.create'))
  await page.waitForURL('**/dispatch/order/*')
  await said(walker, say('insurances:states.certified'))
  await said(walker, say('orderTracking:cannot.title'))
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '11-new-order')
}

/** Copies a link of the order's page, as the dispatcher does to send it. */
async function copiedLink({ page, say }: Walker, name: string): Promise<string> {
  const links = page.getByRole('region', { name: say('orderLinks:links.title'), exact: true })
  const row = links.getByRole('listitem').filter({ hasText: name })
  const copy = new RegExp(`^(${say('orderLinks:links.make')}|${say('orderLinks:links.copy')})$`)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await row.getByRole('button', { name: copy }).click()
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(read).toMatch(/#/)
  const url = new URL(await read())
  return url.pathname + url.hash
}

/** A phone on a slow mobile line, 400 kbit/s and 300 ms each way, which may be cut. */
async function driverOf(walker: Walker, link: string): Promise<Walker & { cut(isCut: boolean): Promise<void> }> {
  const page = await stage.page({ locale: regions[walker.locale], ...phone, serviceWorkers: 'allow' })
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  const slow = { latency: 300, downloadThroughput: 50_000, uploadThroughput: 25_000 }
  const cut = async (offline: boolean) =>
    void (await line.send('Network.emulateNetworkConditions', { ...slow, offline }))
  await cut(false)
  await page.goto(link)
  return { ...walker, page, cut }
}

async function sign({ page }: Walker) {
  const glass = page.locator('canvas.glass')
  await glass.scrollIntoViewIfNeeded()
  const box = await glass.boundingBox()
  if (!box) throw new Error('there is no glass')
  await page.mouse.move(box.x + 30, box.y + 70)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 25, { steps: 6 })
  await page.mouse.move(box.x + 150, box.y + 85, { steps: 6 })
  await page.mouse.move(box.x + 240, box.y + 40, { steps: 6 })
  await page.mouse.up()
}

/** A reading of the box at a place, as its device sends it. */
const at = ({ page, locale }: Walker, { lat, lon }: { lat: number; lon: number }, temperatureC = 5.1) =>
  measure(page, imeis[locale], secrets.get(imeis[locale]) ?? '', { temperatureC, batteryPct: 88, lat, lon })

const placeOf = (name: string) => {
  const place = places.find((one) => one.name === name)
  return { lat: Number(place?.lat), lon: Number(place?.lon) }
}

async function day(locale: Locale) {
  const office = await dispatcherOf(locale)
  const { say } = office
  await addContacts(office)
  await addCrew(office)
  await addOrder(office)
  const code = (await office.page.getByRole('heading', { level: 1 }).textContent()) ?? ''

  const driver = await driverOf(office, await copiedLink(office, 'Musa Bello'))
  const act = (name: string) => press(driver, say(`driverPage:do.${name}`))
  const waits = (name: string) =>
    driver.page.getByRole('button', { name: say(`driverPage:do.${name}`), exact: true }).waitFor()
  /** The page goes on before the server has heard of an act. */
  const heard = () => driver.page.getByText(say('driverPage:waiting', { count: 1 })).waitFor({ state: 'detached' })
  await waits('start')
  await judge(driver, '12-drive-start')
  await act('start')
  await waits('arrive')
  await heard()
  await at(office, { lat: 6.52, lon: 3.37 })
  // The phone asks again by itself each minute, and when it is looked at.
  await driver.page.reload()
  await waits('arrive')
  await judge(driver, '13-drive-next')

  // The receiver of the first stop follows, and signs at the door.
  const receiver = { ...office, page: await stage.page({ locale: regions[locale], ...phone }) }
  await receiver.page.goto(await copiedLink(office, 'Hope Clinic'))
  await said(receiver, say('receiverPage:state.waiting'))
  // Estimates are made each minute, and shown when the page asks next.
  await expect
    .poll(async () => {
      await jobs.ask(estimateArrivals)
      await receiver.page.reload()
      await said(receiver, say('receiverPage:state.waiting'))
      return receiver.page.getByText(say('receiverPage:arrival.title')).count()
    })
    .toBe(1)
  await said(receiver, / – /)
  await said(receiver, say('receiverPage:verdict.inRange'))
  await judge(receiver, '14-track-under-way')
  await at(office, placeOf('Hope Clinic'))
  await act('arrive')
  await waits('handOver')
  await heard()
  await judge(driver, '15-drive-there')
  await receiver.page.reload()
  await said(receiver, say('receiverPage:state.arrived'))
  await press(receiver, say('receiverPage:handOver.now'))
  await press(receiver, say('receiverPage:form.send'))
  await said(receiver, say('receiverPage:missing.signature'))
  await receiver.page.getByLabel(say('receiverPage:form.name'), { exact: true }).fill('Ada Obi')
  await sign(receiver)
  await judge(receiver, '16-track-sign')
  await press(receiver, say('receiverPage:form.send'))
  await said(receiver, say('receiverPage:handedOver.by', { name: 'Ada Obi' }))
  await judge(receiver, '17-track-signed')

  // The second stop has no network: a photo and a signature wait on the phone.
  await driver.page.reload()
  await act('depart')
  await waits('arrive')
  await heard()
  await driver.cut(true)
  await at(office, placeOf('Saint Nicholas Hospital'), 9.4)
  await act('arrive')
  await said(driver, say('driverPage:waiting', { count: 1 }))
  await act('handOver')
  await driver.page.getByLabel(say('receiverPage:form.name'), { exact: true }).fill('Bola Ade')
  const buffer = await office.page.screenshot({ type: 'jpeg' })
  const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
  await driver.page.locator('input[type=file]').setInputFiles(photo)
  await driver.page.locator('.photo img').waitFor()
  await sign(driver)
  await judge(driver, '18-drive-offline-form')
  await press(driver, say('receiverPage:form.send'))
  await said(driver, say('driverPage:waiting', { count: 2 }))
  await judge(driver, '19-drive-offline')
  await driver.cut(false)
  await driver.page.getByText(say('driverPage:waiting', { count: 2 })).waitFor({ state: 'detached' })

  // The third one refuses what it sees.
  await act('depart')
  await at(office, placeOf('Lekki Pharmacy'))
  await act('arrive')
  await act('handOver')
  await driver.page.getByLabel(say('receiverPage:accept.refused'), { exact: true }).check()
  await press(driver, say('receiverPage:form.send'))
  await said(driver, say('receiverPage:missing.reason'))
  await driver.page.getByLabel(say('receiverPage:form.reason'), { exact: true }).fill('Too warm')
  await judge(driver, '20-drive-refused')
  await press(driver, say('receiverPage:form.send'))
  await waits('end')

  await office.page.goto('/dispatch/overview')
  await said(office, code)
  await shoot(office, '21-under-way')
  await office.page.goto('/dispatch/overview?look=board')
  await said(office, code)
  expect(await axeFaults(office.page)).toEqual([])
  await shoot(office, '22-board')
  await act('end')
  await said(driver, say('driverPage:over.completed'))
  await judge(driver, '23-drive-over')

  await office.page.goto('/dispatch/overview?look=scores')
  await said(office, 'Musa Bello')
  expect(await axeFaults(office.page)).toEqual([])
  await shoot(office, '24-scores')
  await office.page.goto('/dispatch/overview')
  await office.page.getByText(code).first().click()
  await office.page.waitForURL('**/dispatch/order/*')
  await said(office, say('orders:state.completed'))
  await said(office, say('orderLife:event.ended'))
  await said(office, 'Too warm')
  await said(office, say('orderLinks:handOvers.signedBy', { name: 'Ada Obi' }))
  await said(office, say('orderLinks:handOvers.signedBy', { name: 'Bola Ade' }))
  const receipt = office.page.getByRole('button', { name: say('orderLinks:handOvers.receipt') }).first()
  await receipt.waitFor()
  const loading = office.page.waitForEvent('download')
  await receipt.click()
  expect(await (await loading).failure()).toBeNull()
  expect(await axeFaults(office.page)).toEqual([])
  await shoot(office, '25-order-over')
  await press(office, say('orderEvidence:claim.new'))
  await dialog(office).waitFor()
  expect(await axeFaults(office.page)).toEqual([])
  await shoot(office, '26-claim')
  for (const { page } of [receiver, driver, office]) await page.context().close()
}

test.each(locales)('a day of dispatch in %s: dispatcher, driver, receiver', day, 300_000)

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
