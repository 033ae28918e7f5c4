import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasValidLuhn } from '../server/src/domain/identifiers.ts'
import { estimateArrivals } from '../server/src/features/order-tracking/jobs.ts'
import { openJobAsker } from '../server/test/job-asker.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, provider, stockUp, taken } from './devices-company.ts'
import { freshAddress } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { type Say, textsOf } from './texts.ts'

/*
 * A day of dispatch by clicks: a dispatcher, a driver with a phone on a slow line, a receiver. Other journeys have the forms of people and vehicles,
 * refusals and hours without a network; here one order goes from hand to hand. In French, whose numbers have a comma; with SHOTS in all languages, and with pictures.
 */

const shots = process.env.SHOTS
const locales = shots ? (['en', 'fr', 'es', 'sw'] as const) : (['fr'] as const)
type Locale = (typeof locales)[number]

const regions = { en: 'en-GB', fr: 'fr-FR', es: 'es-ES', sw: 'sw-KE' }
/** A device of its own for each day, and for each try of one. One number in ten has the right check digit. */
const imeis = Array.from({ length: 200 }, (_, index) => String(490_154_203_237_500 + index)).filter(hasValidLuhn)
const api = '/app/api/v1'
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

const spaces = [
  'contacts',
  'driverPage',
  'errors',
  'insurances',
  'orderLife',
  'orderLinks',
  'orders',
  'places',
  'receiverPage',
]

interface Walker {
  locale: Locale
  page: Page
  say: Say
  imei: string
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
    // Charts take the new width a moment later.
    const wide = () => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
    await expect.poll(wide, { message: `${name} ${locale} ${width}` }).toBe(0)
    const path = join(shots, `day-${name}-${locale}-${width}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage: true })
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
/** The button names its row after what it does. */
const pressOfRow = ({ page }: Walker, act: string) => page.getByRole('button', { name: act }).first().click()
const said = ({ page }: Walker, text: string | RegExp) => page.getByText(text).first().waitFor()

const store = { name: 'Ikeja Cold Store', address: '12 Allen Avenue, Ikeja', position: { lat: 6.6018, lon: 3.3515 } }
const clinic = { name: 'Hope Clinic', address: '4 Creek Road, Apapa', position: { lat: 6.4489, lon: 3.3592 } }
const pharmacy = { name: 'Lekki Pharmacy', address: '8 Admiralty Way, Lekki', position: { lat: 6.4478, lon: 3.4723 } }

/** A company with a box that measures, a driver in a van, and contacts but one. */
async function dispatcherOf(locale: Locale): Promise<Walker> {
  const email = freshAddress(`amina-${locale}`)
  const page = await stage.page({ locale: regions[locale], permissions: ['clipboard-read', 'clipboard-write'] })
  await foundCompany(stage, page.request, 'Lagos Cold Stores', email)
  const known = await logIn(page, email)
  await taken(page.request.patch(`${api}/auth/user/profile`, { headers: known, data: { locale } }))
  const headers = await logIn(page, email)
  const send = async (method: 'post' | 'patch', path: string, data: object) => {
    const answer = await page.request[method](`${api}${path}`, { headers, data })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return (await answer.json()).payload
  }
  const imei = imeis.pop() ?? ''
  // A licence belongs to one company.
  const { key: licenceKey, secrets: made } = await stockUp(stage, [imei])
  secrets.set(imei, made.get(imei) ?? '')
  await send('post', '/devices/setup', { imei, licenceKey, name: 'Box 17', limits: { preset: 'refrigerated' } })
  const driver = await send('post', '/dispatch/drivers', { name: 'Musa Bello', phone: '+2348031234567' })
  const vehicle = await send('post', '/dispatch/vehicles', { name: 'Blue van', plate: 'LAG 482 XY', type: 'truck' })
  await send('patch', `/dispatch/drivers/${driver.id}/vehicle/assign`, { vehicleId: vehicle.id })
  for (const contact of [store, pharmacy]) await send('post', '/dispatch/contacts', contact)
  const office = { locale, page, say: await textsOf(locale, spaces), imei }
  await at(office, store.position)
  return office
}

/** A contact is added by hand. Its place is pasted as maps copy it, and nothing below moves when the map comes. */
async function addContact(walker: Walker) {
  const { page, say } = walker
  await page.goto('/dispatch/contacts')
  await press(walker, say('contacts:add'))
  const field = (key: string) => dialog(walker).getByLabel(say(`contacts:fields.${key}`), { exact: true })
  await field('name').fill(clinic.name)
  await field('address').fill(clinic.address)
  await dialog(walker).getByText(say('places:picker.blank')).waitFor()
  await shoot(walker, '01-contact')
  const add = dialog(walker).getByRole('button', { name: say('contacts:add'), exact: true })
  await add.scrollIntoViewIfNeeded()
  const before = await add.boundingBox()
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await field('lat').selectText()
    await page.keyboard.press('ControlOrMeta+v')
  }
  const mark = walker.locale === 'fr' || walker.locale === 'es' ? ',' : '.'
  // A point is understood where decimals have a comma, too.
  await paste('6.6018')
  await expect.poll(() => field('lat').inputValue()).toBe(`6${mark}6018`)
  await paste(`${clinic.position.lat}, ${clinic.position.lon}`)
  await expect.poll(() => field('lon').inputValue()).toBe(String(clinic.position.lon).replace('.', mark))
  expect(await field('lat').inputValue()).toBe(String(clinic.position.lat).replace('.', mark))
  await dialog(walker).getByText(say('places:picker.blank')).waitFor({ state: 'detached' })
  expect(await add.boundingBox()).toEqual(before)
  await add.click()
  await dialog(walker).waitFor({ state: 'detached' })
  await said(walker, clinic.name)
  await shoot(walker, '02-contacts')
}

async function addOrder(walker: Walker) {
  const { page, say } = walker
  await page.goto('/dispatch/add-dispatch')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const find = async (where: string, { name }: { name: string }) => {
    await part(where)
      .getByRole('combobox', { name: say('orders:form.contact') })
      .fill(name)
    await page.getByRole('option', { name }).click()
  }
  await find(say('orders:form.sender'), store)
  for (const [index, contact] of [clinic, pharmacy].entries()) {
    if (index > 0) await press(walker, say('orders:form.addReceiver'))
    const where = say('orders:form.receiver', { number: index + 1 })
    await find(where, contact)
    const field = (key: string, values = {}) =>
      part(where).getByLabel(say(`orders:form.${key}`, values), { exact: true })
    await field('itemName').fill('Vaccine box')
    await field('quantity').fill('2')
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
  await shoot(walker, '03-full-form')
  await press(walker, say('orders:form.create'))
  await page.waitForURL('**/dispatch/order/*')
  await said(walker, say('insurances:states.certified'))
  await shoot(walker, '04-new-order')
}

/** Copies a link of the order's page, as the dispatcher does to send it. */
async function copiedLink({ page, say }: Walker, name: string): Promise<string> {
  const links = page.getByRole('region', { name: say('orderLinks:links.title'), exact: true })
  const row = links.getByRole('listitem').filter({ hasText: name })
  const copy = new RegExp(`^(${say('orderLinks:links.make')}|${say('orderLinks:links.copy')})`)
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
const at = ({ page, imei }: Walker, { lat, lon }: { lat: number; lon: number }, temperatureC = 5.1) =>
  measure(page, imei, secrets.get(imei) ?? '', { temperatureC, batteryPct: 88, lat, lon })

/** The receipt of the first stop is mailed to the dispatcher; the page says to whom it went. */
async function mailReceipt(walker: Walker) {
  const { page, say } = walker
  await pressOfRow(walker, say('orderLinks:handOvers.sendReceipt'))
  const send = dialog(walker).getByRole('button', { name: say('orderLinks:receiptMail.submit'), exact: true })
  await send.click()
  await dialog(walker).getByText(say('errors:fields.rule.recipientNeeded')).waitFor()
  await dialog(walker)
    .getByRole('combobox', { name: say('orderLinks:receiptMail.team') })
    .click()
  await page.getByRole('option', { name: 'Admin of Lagos Cold Stores' }).click()
  await page.keyboard.press('Tab')
  expect(await axeFaults(page)).toEqual([])
  await shoot(walker, '15-mail-receipt')
  await send.click()
  await dialog(walker).waitFor({ state: 'detached' })
  const sent = say('orderLinks:receiptMail.state.sent', { to: 'ada@clinic.test', time: '' }).trim()
  await said(walker, new RegExp(`^${sent}`))
}

async function day(locale: Locale) {
  const office = await dispatcherOf(locale)
  const { say } = office
  await addContact(office)
  await addOrder(office)
  const code = (await office.page.getByRole('heading', { level: 1 }).textContent()) ?? ''

  const driver = await driverOf(office, await copiedLink(office, 'Musa Bello'))
  const act = (name: string) => press(driver, say(`driverPage:do.${name}`))
  const waits = (name: string) =>
    driver.page.getByRole('button', { name: say(`driverPage:do.${name}`), exact: true }).waitFor()
  /** The page goes on before the server has heard of an act. */
  const heard = () => driver.page.getByText(say('driverPage:waiting', { count: 1 })).waitFor({ state: 'detached' })
  await waits('start')
  await shoot(driver, '05-drive-start', [390])
  await act('start')
  await waits('arrive')
  await heard()
  await at(office, { lat: 6.52, lon: 3.37 })
  await judge(driver, '06-drive-next')

  // The receiver of the first stop follows, and signs at the door.
  const receiver = { ...office, page: await stage.page({ locale: regions[locale], ...phone }) }
  await receiver.page.goto(await copiedLink(office, clinic.name))
  await said(receiver, say('receiverPage:state.waiting'))
  // Estimates are made each minute, and shown when the page asks next.
  await jobs.ask(estimateArrivals)
  const estimated = async () => {
    await receiver.page.reload()
    await said(receiver, say('receiverPage:state.waiting'))
    return receiver.page.getByText(say('receiverPage:arrival.title')).count()
  }
  await expect.poll(estimated, { timeout: 90_000 }).toBe(1)
  await said(receiver, say('receiverPage:verdict.inRange'))
  await judge(receiver, '07-track-under-way')
  await at(office, clinic.position)
  await act('arrive')
  await waits('handOver')
  await heard()
  await receiver.page.reload()
  await press(receiver, say('receiverPage:handOver.now'))
  await receiver.page.getByLabel(say('receiverPage:form.name'), { exact: true }).fill('Ada Obi')
  await sign(receiver)
  await judge(receiver, '08-track-sign')
  await press(receiver, say('receiverPage:form.send'))
  await said(receiver, say('receiverPage:handedOver.by', { name: 'Ada Obi' }))
  await receiver.page.getByLabel(say('receiverPage:receiptMail.email'), { exact: true }).fill('ada@clinic.test')
  await press(receiver, say('receiverPage:receiptMail.send'))
  await said(receiver, say('receiverPage:receiptMail.sent', { email: 'ada@clinic.test' }))
  await judge(receiver, '09-track-signed')

  // The second stop has no network: a photo and a signature wait on the phone.
  await driver.page.reload()
  await act('depart')
  await waits('arrive')
  await heard()
  await driver.cut(true)
  await at(office, pharmacy.position, 9.4)
  await act('arrive')
  await act('handOver')
  await driver.page.getByLabel(say('receiverPage:form.name'), { exact: true }).fill('Bola Ade')
  const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await office.page.screenshot({ type: 'jpeg' }) }
  await driver.page.locator('input[type=file]').setInputFiles(photo)
  await driver.page.locator('.photo img').waitFor()
  await sign(driver)
  await judge(driver, '10-drive-offline-form')
  await press(driver, say('receiverPage:form.send'))
  await said(driver, say('driverPage:waiting', { count: 2 }))
  await shoot(driver, '11-drive-offline', [390])
  await office.page.goto('/dispatch/overview')
  await said(office, code)
  await shoot(office, '12-under-way')
  await driver.cut(false)
  await act('end')
  await said(driver, say('driverPage:over.completed'))
  await driver.page.getByText(say('driverPage:waiting', { count: 1 })).waitFor({ state: 'detached' })
  await shoot(driver, '13-drive-over', [390])

  await office.page.getByText(code).first().click()
  await office.page.waitForURL('**/dispatch/order/*')
  await said(office, say('orders:state.completed'))
  await said(office, say('orderLife:event.ended'))
  await said(office, say('orderLinks:handOvers.signedBy', { name: 'Ada Obi' }))
  await said(office, say('orderLinks:handOvers.signedBy', { name: 'Bola Ade' }))
  const loading = office.page.waitForEvent('download')
  await pressOfRow(office, say('orderLinks:handOvers.receipt'))
  expect(await (await loading).failure()).toBeNull()
  await mailReceipt(office)
  expect(await axeFaults(office.page)).toEqual([])
  await shoot(office, '14-order-over')
  for (const { page } of [receiver, driver, office]) await page.context().close()
}

test.each(locales)('a day of dispatch in %s: dispatcher, driver, receiver', day, 300_000)

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
