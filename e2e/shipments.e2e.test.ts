import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { luhnDigit } from '@isotherm/simulator/fleet.ts'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epcisValidator } from '../server/test/epcis-validator.ts'
import { textOf } from '../server/test/text-of.ts'
import { unpacked } from '../server/test/unpacked.ts'
import { axeFaults } from './axe.ts'
import { backdate } from './charted-pages.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'
import { type Say, textsOf } from './texts.ts'

/*
 * A shipment from the pack house to the importer by clicks: planned, followed by its milestones, its cold treatment proven, completed, and told of by its
 * report, claim pack, monitoring record and EPCIS document. In English; with SHOTS in all languages, and with pictures.
 */

const run = promisify(execFile)
const shots = process.env.SHOTS
const locales = shots ? (['en', 'fr', 'es', 'sw'] as const) : (['en'] as const)
type Locale = (typeof locales)[number]

const api = '/app/api/v1'
const hourMs = 3_600_000
/** A busy machine takes its time for a report. */
const slowMs = 240_000
const now = Date.now()
const regions = { en: 'en-GB', fr: 'fr-FR', es: 'es-ES', sw: 'sw-KE' }
const names = ['Return air', 'Pulp 1', 'Pulp 2', 'Pulp 3']
const imeisOf = (locale: Locale) =>
  names.map((_, n) => {
    const digits = `358800117${locales.indexOf(locale as never)}000${n + 1}`
    return digits + luhnDigit(digits)
  })
let stage: Stage
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-shipment-'))
  stage = await openStage({ CHECK_ANSWERS: '1' })
})
afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Walker {
  locale: Locale
  page: Page
  headers: Record<string, string>
  say: Say
}

const spaces = ['shipments', 'shipmentPlaces', 'coldTreatments', 'shipmentLinks', 'epcis', 'orderEvidence', 'issued']

/** A company whose four devices measured the last two days in a container. */
async function exporterOf(locale: Locale): Promise<Walker> {
  const email = `export-${locale}@shipments.test`
  const page = await stage.page({ locale: regions[locale], acceptDownloads: true })
  const imeis = imeisOf(locale)
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Cape Citrus', email)
  const known = await logIn(page, email)
  const chosen = await page.request.patch(`${api}/auth/user/profile`, { headers: known, data: { locale } })
  expect(chosen.ok(), await chosen.text()).toBe(true)
  const headers = await logIn(page, email)
  const limits = { temperatureMinC: -1, temperatureMaxC: 1.5 }
  for (const [index, imei] of imeis.entries()) {
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
  return { locale, page, headers, say: await textsOf(locale, spaces) }
}

const dialog = ({ page }: Walker) => page.getByRole('dialog')
const said = ({ page }: Walker, text: string | RegExp) => page.getByText(text).first().waitFor()
const section = ({ page }: Walker, name: string) => page.getByRole('region', { name, exact: true })
const press = ({ page }: Walker, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const tab = async ({ page, say }: Walker, key: string) => {
  const parts = page.getByRole('radiogroup', { name: say('shipments:tabsLabel') })
  await parts.getByText(say(key), { exact: true }).click()
}
/** The clock at a place so many hours ago, as somebody types it. */
const clockAgo = (hours: number, zone: string) =>
  localTimeOf(new Date(now - hours * hourMs).toISOString(), zone)
    .slice(0, 16)
    .replace('T', ' ')

const looks = [
  [390, 844, 'light'],
  [390, 844, 'dark'],
  [820, 1180, 'light'],
  [1366, 900, 'light'],
  [1366, 900, 'dark'],
] as const

/** How much wider a screen is than its window. */
const wider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** The screen has no fault that axe knows, and is nowhere wider than its window; with SHOTS its pictures. */
async function judge({ locale, page }: Walker, name: string) {
  await page.locator('h1').first().waitFor()
  // The pointer rests on nothing: a tooltip is another matter.
  await page.mouse.move(0, 0)
  await expect
    .poll(() => page.locator('.mantine-Skeleton-root[data-visible], [aria-busy=true], [role=tooltip]').count())
    .toBe(0)
  expect([name, locale, await axeFaults(page)]).toEqual([name, locale, []])
  const before = page.viewportSize()
  for (const [width, height, colorScheme] of looks) {
    if (!shots && (width === 820 || colorScheme === 'dark')) continue
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    const path = `${name}-${locale}-${width}-${colorScheme}.png`
    // A map takes a moment to become as narrow as its window.
    await expect.poll(async () => [path, Math.max(0, await wider(page))]).toEqual([path, 0])
    if (!shots) continue
    // A page that is scrolled has its bars in the middle of the picture.
    await page.evaluate(() => window.scrollTo(0, 0))
    const hasDialog = (await page.getByRole('dialog').count()) > 0
    await page.screenshot({ path: join(shots, path), fullPage: !hasDialog })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
}

/** Places by their numbers at GS1, which a supplier's document names. */
const glns = { origin: '6001234500025', destination: '6001234500032' }

async function addEnd(walker: Walker, kind: 'origin' | 'destination', name: string, country: string, port: RegExp) {
  const { page, say, locale } = walker
  await page.goto(`/export/dispatch/${kind}`)
  await press(walker, say(`shipmentPlaces:kinds.${kind}.add`))
  const field = (key: string) => dialog(walker).getByLabel(say(`shipmentPlaces:fields.${key}`), { exact: true })
  await field('name').fill(name)
  await field('gln').fill(glns[kind])
  const named = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
  await dialog(walker)
    .getByRole('combobox', { name: say('shipmentPlaces:fields.country') })
    .fill(named)
  await page.getByRole('option', { name: named, exact: true }).click()
  await dialog(walker)
    .getByRole('searchbox', { name: say('shipmentPlaces:fields.ports'), exact: true })
    .fill(port.source)
  await page.getByRole('option', { name: port }).first().click()
  await dialog(walker)
    .getByRole('button', { name: say(`shipmentPlaces:kinds.${kind}.add`), exact: true })
    .click()
  await said(walker, say(`shipmentPlaces:kinds.${kind}.added`))
}

/** An act of a leg of the form: to insert one before it, to move it, to remove it. */
const legAct = ({ page, say }: Walker, act: string, number: number) =>
  page.getByRole('button', { name: `${say(`shipments:form.legAct.${act}`)}: ${number}`, exact: true })

/** A leg is put before the first, changes places with it and is removed; each takes along what was typed. */
async function arrangeLegs(walker: Walker) {
  const { page, say } = walker
  const carriers = page.getByLabel(say('shipments:fields.carrierName'), { exact: true }).and(page.locator('input'))
  const shown = () => carriers.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
  await legAct(walker, 'insert', 1).click()
  await expect.poll(shown).toEqual(['', 'Cederberg Transport'])
  await legAct(walker, 'down', 1).click()
  await expect.poll(shown).toEqual(['Cederberg Transport', ''])
  await carriers.nth(1).fill('Harbour Haulage')
  await legAct(walker, 'up', 2).click()
  await expect.poll(shown).toEqual(['Harbour Haulage', 'Cederberg Transport'])
  await legAct(walker, 'remove', 1).click()
  await expect.poll(shown).toEqual(['Cederberg Transport'])
}

/** Plans a shipment by road and sea. Faults are said at their fields, and a double click makes one. */
async function plan(walker: Walker) {
  const { page, say, locale } = walker
  await page.goto('/export/dispatch/add-shipment')
  await said(walker, say('shipments:form.noPlaces'))
  await addEnd(walker, 'origin', 'Citrusdal pack house', 'ZA', /ZACPT/)
  await addEnd(walker, 'destination', 'Barendrecht cold store', 'NL', /NLRTM/)
  await page.goto('/export/dispatch')
  await said(walker, say('shipments:empty.title'))
  await press(walker, say('shipments:report.action'))
  await said(walker, say('shipments:report.notSelected'))
  await press(walker, say('shipments:add'))
  await page.waitForURL(/add-shipment/)
  for (const [key, option] of [
    ['origin', 'Citrusdal pack house'],
    ['destination', 'Barendrecht cold store'],
  ] as const) {
    await page.getByRole('combobox', { name: say(`shipments:fields.${key}`) }).click()
    await page.getByRole('option', { name: option }).click()
  }
  const text = (key: string) => say(`shipments:fields.${key}`)
  const goods = section(walker, say('shipments:form.goods'))
  for (const [key, value] of Object.entries({
    ...{
      product: 'Oranges',
      variety: 'Valencia',
      reference: 'MF 4711',
      hsCode: '080510',
      pallets: '20',
      trackingNumber: 'TRK 90417',
      gtin: '6001234500019',
    },
  }))
    await goods.getByLabel(text(key)).first().fill(value)
  const [road, sea] = [1, 2].map((number) => section(walker, say('shipments:form.leg', { number })))
  if (!road || !sea) throw new Error('no legs')
  await road.getByLabel(text('mode'), { exact: true }).selectOption('road')
  await road.getByLabel(text('carrierName')).fill('Cederberg Transport')
  await arrangeLegs(walker)
  await press(walker, say('shipments:form.addLeg'))
  await sea.getByLabel(text('mode'), { exact: true }).selectOption('sea')
  for (const [key, code] of [
    ['fromPort', 'ZACPT'],
    ['toPort', 'NLRTM'],
  ] as const) {
    await sea.getByRole('searchbox', { name: text(key) }).fill(code)
    await page
      .getByRole('option', { name: new RegExp(code) })
      .first()
      .click()
    await sea.getByRole('button', { name: `${text(key)}:` }).waitFor()
  }
  await sea.getByLabel(text('shippingLine')).fill('mae')
  await page.getByRole('option', { name: 'Maersk', exact: true }).click()
  await sea.getByLabel(text('vesselName'), { exact: true }).fill('Cape Breeze')
  await sea.getByLabel(text('voyage'), { exact: true }).fill('208N')
  await sea.getByLabel(text('containerNo'), { exact: true }).fill('MSKU 907032 4')
  await sea.getByLabel(text('etd')).fill(clockAgo(30, 'Africa/Johannesburg'))
  await sea.getByLabel(text('eta')).fill(clockAgo(-24 * 14, 'Europe/Amsterdam'))
  const devices = page.getByRole('combobox', { name: say('shipments:form.devices') })
  for (const name of names) {
    await devices.click()
    await devices.fill(name)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await page.keyboard.press('Escape')
  for (const [index, name] of names.entries())
    await page.getByLabel(say('shipments:form.placeOf', { name })).selectOption(index === 0 ? 'return' : `pulp${index}`)
  const warmest = locale === 'fr' || locale === 'es' ? '1,5' : '1.5'
  await goods.getByLabel(text('minC')).fill('-1')
  await goods.getByLabel(text('maxC'), { exact: true }).fill(warmest)
  await press(walker, say('shipments:form.addProduct'))
  const second = goods.getByRole('group', { name: say('shipments:form.productNo', { number: 2 }) })
  await second.getByRole('textbox', { name: text('product') }).fill('Grapes')
  await second.getByLabel(text('quantity'), { exact: true }).fill('640')
  await second.getByLabel(text('quantityUnit'), { exact: true }).selectOption('carton')
  // They must be warmer than oranges may be: at once it is said, and mended.
  await second.getByLabel(text('minC')).fill('4')
  await goods.getByRole('status').getByText('Oranges').waitFor()
  await second.getByLabel(text('minC')).fill('-1')
  await second.getByLabel(text('maxC'), { exact: true }).fill('2')
  await judge(walker, '01-form')
  const create = page.getByRole('button', { name: say('shipments:form.create'), exact: true })
  await create.click()
  // The check digit is wrong: somebody may insist on it.
  await sea.getByText(say('shipments:form.unchecked')).waitFor()
  await goods.getByText(/6001234500018/).waitFor()
  await goods.getByLabel(text('gtin'), { exact: true }).first().fill('6001234500018')
  await sea.getByLabel(text('containerNo'), { exact: true }).fill('MSKU 907032 3')
  await create.dblclick()
  await said(walker, say('shipments:form.created', { number: 'S-000001' }))
  await page.waitForURL(/export\/dispatch\/shipment\/\d+/)
  const { payload } = await (await page.request.get(`${api}/export/shipments`, { headers: walker.headers })).json()
  expect(payload.data).toMatchObject([{ number: 'S-000001', state: 'pending', deviceCount: 4 }])
  for (const shown of ['Maersk', 'TRK 90417', 'Grapes']) await said(walker, shown)
  await judge(walker, '02-planned')
}

async function milestone(walker: Walker, kind: string, leg: number | null, hoursAgo: number, zone: string) {
  const { say, page } = walker
  await press(walker, say('shipments:journey.milestone'))
  const form = dialog(walker)
  await form.getByLabel(say('shipments:journey.kind'), { exact: true }).selectOption(kind)
  const legs = form.getByLabel(say('shipments:journey.legOf'), { exact: true })
  await legs.selectOption(leg === null ? { value: '' } : { index: leg })
  const at = say('shipments:journey.at', { zone: '' }).split('(')[0] ?? ''
  await form.getByRole('textbox', { name: new RegExp(`^${at}\\(`) }).fill(clockAgo(hoursAgo, zone))
  await form.getByRole('button', { name: say('shipments:journey.milestone'), exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const line = page.getByRole('region', { name: say('shipments:journey.line'), exact: true })
  await line
    .getByText(say(`shipments:event.${kind}`), { exact: true })
    .first()
    .waitFor()
}
const johannesburg = 'Africa/Johannesburg'

/** Under way a leg is put before the one that is still to depart, and taken out again; the one that arrived stays at its place. */
async function changeUnderWay(walker: Walker) {
  const { page, say } = walker
  const save = async (modes: string[]) => {
    const sent = page.waitForResponse(
      (answer) => answer.request().method() === 'PATCH' && answer.url().includes('/export/shipments/'),
    )
    await press(walker, say('shipments:form.save'))
    const { payload } = await (await sent).json()
    expect(payload.legs.map(({ mode }: { mode: string }) => mode)).toEqual(modes)
    await page.waitForURL(/export\/dispatch\/shipment\/\d+/)
  }
  const edit = () => page.getByRole('link', { name: say('shipments:act.edit'), exact: true }).click()
  await edit()
  await legAct(walker, 'insert', 2).click()
  for (const act of ['insert', 'up', 'down', 'remove'])
    expect([act, await legAct(walker, act, 1).count()]).toEqual([act, 0])
  const added = section(walker, say('shipments:form.leg', { number: 2 }))
  await added.getByLabel(say('shipments:fields.mode'), { exact: true }).selectOption('rail')
  await added.getByLabel(say('shipments:fields.toName'), { exact: true }).fill('Terminal 2')
  await legAct(walker, 'down', 2).click()
  await legAct(walker, 'up', 3).click()
  await judge(walker, '03-changed')
  await save(['road', 'rail', 'sea'])
  await said(walker, 'Terminal 2')
  await edit()
  await legAct(walker, 'remove', 2).click()
  await save(['road', 'sea'])
}

/** Its milestones move it; the line has planned, estimated and actual times, and the list and the map where it is. */
async function follow(walker: Walker) {
  const { page, say, headers } = walker
  await milestone(walker, 'stuffed', null, 42, johannesburg)
  const state = (name: string) =>
    section(walker, 'S-000001')
      .getByText(say(`shipments:state.${name}`), { exact: true })
      .first()
      .waitFor()
  await milestone(walker, 'departed', 1, 41, johannesburg)
  await state('ongoing')
  // That was another container: the shipment is as it was before.
  await withdraw(walker, 'departed')
  await state('pending')
  await milestone(walker, 'departed', 1, 41, johannesburg)
  await state('ongoing')
  await milestone(walker, 'arrived', 1, 36, johannesburg)
  await changeUnderWay(walker)
  await milestone(walker, 'departed', 2, 30, johannesburg)
  // It departed on time: what is expected is what was planned.
  await said(walker, say('shipments:journey.estimatedArrival'))
  await section(walker, say('shipments:plan.container'))
    .getByText(/4[.,]0/)
    .first()
    .waitFor()
  await judge(walker, '03-under-way')
  await page.goto('/export/dispatch')
  await page.getByRole('row', { name: /S-000001.*Cape Breeze/ }).waitFor()
  await section(walker, say('shipments:map.title')).waitFor()
  const { payload } = await (await page.request.get(`${api}/export/shipments/map`, { headers })).json()
  expect(payload.shipments).toMatchObject([{ number: 'S-000001', position: { lat: -33.9069, lon: 18.4347 } }])
  await judge(walker, '04-list')
  await page.getByRole('row', { name: /S-000001/ }).click()
  await page.waitForURL(/shipment\/\d+/)
}

/** The pages of a PDF as one text; their pictures beside the other shots, where somebody wants those and has pdftoppm. */
async function pdfText({ locale }: Walker, download: Download, name: string): Promise<string> {
  const path = join(folder, `${name}-${locale}.pdf`)
  await download.saveAs(path)
  if (shots) await run('pdftoppm', ['-r', '70', '-png', path, join(shots, `pdf-${name}-${locale}`)])
  return (await textOf(await readFile(path), 'application/pdf')).replace(/\s+/g, ' ')
}

/** Presses a button that saves a file. */
async function saved({ page }: Walker, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: slowMs }), act()])
  expect(await download.failure()).toBeNull()
  return download
}

/** Its cold treatment is proven hour by hour, and the monitoring record says so. */
async function treat(walker: Walker) {
  const { page, say } = walker
  await tab(walker, 'coldTreatments:title')
  await press(walker, say('coldTreatments:choose'))
  await dialog(walker)
    .getByRole('radio', { name: /T107-a,/ })
    .check()
  await dialog(walker)
    .getByRole('button', { name: say('coldTreatments:choose'), exact: true })
    .click()
  const panel = section(walker, say('coldTreatments:title'))
  await panel.getByText(say('coldTreatments:states.running'), { exact: true }).waitFor()
  await panel.getByRole('progressbar', { name: say('coldTreatments:proven'), exact: true }).waitFor()
  await judge(walker, '05-treatment')
  await press(walker, say('coldTreatments:make'))
  const load = page.getByRole('button', { name: say('coldTreatments:download'), exact: true })
  const text = await pdfText(walker, await saved(walker, () => load.click({ timeout: slowMs })), 'monitoring')
  const title = say('coldTreatments:record.title', { number: 'S-000001' })
  for (const part of [title, 'MSKU9070323', 'Pulp 3']) expect(text).toContain(part)
  await page.reload()
  await tab(walker, 'shipments:journey.title')
  await panel.getByRole('progressbar').waitFor()
  await judge(walker, '06-journey')
}

/** Papers are stored, conditions told by leg, and a link is made. */
async function prove(walker: Walker) {
  const { page, say } = walker
  await tab(walker, 'shipments:documents.title')
  await press(walker, say('shipments:documents.add'))
  const file = { name: 'bl.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await dialog(walker).getByLabel(say('shipments:documents.name'), { exact: true }).fill('Bill of lading 208N')
  await dialog(walker).locator('input[type=file]').setInputFiles(file)
  await dialog(walker)
    .getByRole('button', { name: say('shipments:documents.add'), exact: true })
    .click()
  await section(walker, say('shipments:documents.title')).getByText('Bill of lading 208N').waitFor()
  await judge(walker, '07-documents')
  await tab(walker, 'shipments:conditions.title')
  const whole = page.getByRole('table', { name: say('shipments:conditions.whole') })
  await whole.getByRole('row', { name: /Return air/ }).waitFor()
  await judge(walker, '08-conditions')
  await tab(walker, 'shipmentLinks:title')
  await press(walker, say('shipmentLinks:make'))
  await dialog(walker).getByLabel(say('shipmentLinks:label'), { exact: true }).fill('Maas Fruit')
  await dialog(walker)
    .getByRole('button', { name: say('shipmentLinks:make'), exact: true })
    .click()
  await section(walker, say('shipmentLinks:title')).getByText('Maas Fruit').waitFor()
  await judge(walker, '09-links')
}

/** A milestone that never happened stays, struck through, with the reason. */
async function withdraw(walker: Walker, kind: string) {
  const { say, page } = walker
  const [act, name] = [say('shipments:journey.withdraw'), say(`shipments:event.${kind}`)]
  await page.getByRole('button', { name: `${act}: ${name}`, exact: true }).click()
  const form = dialog(walker)
  await judge(walker, `09-withdraw-${kind}`)
  await form.getByRole('textbox').fill('That was another container')
  await form.getByRole('button', { name: act, exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const line = page.getByRole('region', { name: say('shipments:journey.line'), exact: true })
  await line.locator('s', { hasText: name }).first().waitFor()
  await line
    .getByText(/That was another container/)
    .last()
    .waitFor()
}

/** It arrives and is completed. */
async function arrive(walker: Walker) {
  const { say } = walker
  await tab(walker, 'shipments:journey.title')
  await milestone(walker, 'arrived', 2, 2, 'Europe/Amsterdam')
  await milestone(walker, 'inspected', 2, 1, 'Europe/Amsterdam')
  await withdraw(walker, 'inspected')
  await press(walker, say('shipments:act.complete'))
  await dialog(walker)
    .getByRole('button', { name: say('shipments:act.complete'), exact: true })
    .dblclick()
  await section(walker, 'S-000001').getByText(say('shipments:state.completed'), { exact: true }).first().waitFor()
  await said(walker, say('shipments:leftBehind.title'))
  await judge(walker, '10-completed')
}

/** Its EPCIS document tells the journey. */
async function exchange(walker: Walker) {
  const { say } = walker
  await tab(walker, 'epcis:title')
  const panel = section(walker, say('epcis:title'))
  await panel.getByText(say('epcis:valid')).waitFor()
  await judge(walker, '11-epcis')
  const download = await saved(walker, () =>
    panel.getByRole('button', { name: say('epcis:download'), exact: true }).click(),
  )
  const path = join(folder, `epcis-${walker.locale}.json`)
  await download.saveAs(path)
  const document = JSON.parse(await readFile(path, 'utf8'))
  expect(document.type).toBe('EPCISDocument')
  expect(epcisValidator()(document)).toEqual([])
  const declared = document.epcisBody.eventList.flatMap(
    (one: { errorDeclaration?: { reason: string } }) => one.errorDeclaration ?? [],
  )
  expect(declared).toMatchObject([{ reason: 'did_not_occur' }, { reason: 'did_not_occur' }])
  const steps = document.epcisBody.eventList.map(({ bizStep }: { bizStep: string }) => bizStep)
  for (const step of ['departing', 'arriving']) expect(steps).toContain(step)
  expect(JSON.stringify(document)).toContain('https://id.gs1.org/01/06001234500018')
  await understand(walker, path)
}

/** A company that gets the document begins a shipment with it. */
async function understand(walker: Walker, path: string) {
  const { page, say } = walker
  const shown = page.url()
  await page.goto('/export/dispatch/add-shipment')
  await page.locator('input[type=file]').setInputFiles(path)
  await said(walker, say('epcis:read.understood'))
  await judge(walker, '11-epcis-in')
  await press(walker, say('epcis:read.use'))
  const leg = section(walker, say('shipments:form.leg', { number: 1 }))
  const vessel = leg.getByLabel(say('shipments:fields.vesselName'), { exact: true })
  await expect.poll(() => vessel.inputValue()).toBe('Cape Breeze')
  // The document names the company's own places by their numbers.
  for (const [end, name] of [
    ['origin', 'Citrusdal pack house'],
    ['destination', 'Barendrecht cold store'],
  ] as const) {
    const chosen = page.getByRole('combobox', { name: say(`shipments:fields.${end}`) })
    await expect.poll(() => chosen.inputValue()).toContain(name)
  }
  await judge(walker, '11-epcis-form')
  const goods = section(walker, say('shipments:form.goods'))
  await expect.poll(() => goods.getByLabel('GTIN', { exact: true }).first().inputValue()).toBe('06001234500018')
  // Both products come back, each with its name.
  const second = goods.getByRole('group', { name: say('shipments:form.productNo', { number: 2 }) })
  const name = second.getByRole('textbox', { name: say('shipments:fields.product') })
  await expect.poll(() => name.inputValue()).toBe('Grapes')
  await page.goto(shown)
}

/** Its report is saved, or mailed to whom somebody chose. */
async function report(walker: Walker) {
  const { page, say } = walker
  const menu = async (item: string) => {
    await press(walker, say('shipments:report.action'))
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const download = await saved(walker, () => menu('PDF'))
  expect(download.suggestedFilename()).toBe('S-000001.pdf')
  const text = await pdfText(walker, download, 'report')
  for (const part of ['S-000001', 'Oranges', 'Cape Breeze', 'Citrusdal pack house', 'Return air'])
    expect(text).toContain(part)
  await menu(say('issued:mail'))
  await dialog(walker).getByText(say('issued:recipientsHelp')).waitFor()
  await judge(walker, '12-mail')
  await dialog(walker)
    .getByRole('button', { name: say('issued:send'), exact: true })
    .click()
  await said(walker, say('issued:mailed', { names: 'Admin of Cape Citrus' }))
}

/** Its claim pack has every file that its list of hashes names, and each has that hash. */
async function claim(walker: Walker) {
  const { say } = walker
  await tab(walker, 'shipments:conditions.title')
  await press(walker, say('orderEvidence:claim.new'))
  await dialog(walker).getByText(say('orderEvidence:claim.carriage'), { exact: true }).waitFor()
  await judge(walker, '13-claim')
  await dialog(walker)
    .getByRole('button', { name: say('orderEvidence:claim.make'), exact: true })
    .click()
  const load = walker.page.getByRole('button', { name: new RegExp(`^${say('orderEvidence:claim.download')}: ZIP`) })
  const download = await saved(walker, () => load.click({ timeout: slowMs }))
  await judge(walker, '14-claims')
  const path = join(folder, `claim-${walker.locale}.zip`)
  await download.saveAs(path)
  const files = unpacked(await readFile(path))
  const manifest = files.get('manifest.sha256')?.toString() ?? ''
  const listed = manifest.trimEnd().split('\n')
  expect(listed.length).toBe(files.size - 1)
  for (const line of listed) {
    const [hash, name = ''] = line.split(/ {2}/)
    expect([
      name,
      createHash('sha256')
        .update(files.get(name) ?? '')
        .digest('hex'),
    ]).toEqual([name, hash])
  }
  expect(files.get('readings.csv')?.toString().split('\n').length).toBeGreaterThan(600)
}

test.each(locales)(
  'a shipment goes from origin to destination in %s',
  { timeout: 1_800_000, retry: 0 },
  async (locale) => {
    const walker = await exporterOf(locale)
    await plan(walker)
    await follow(walker)
    await treat(walker)
    await prove(walker)
    await arrive(walker)
    await exchange(walker)
    await report(walker)
    await claim(walker)
    for (const [name, key] of [
      ['15-devices', 'shipments:fields.devices'],
      ['16-events', 'shipments:events.title'],
      ['17-ppecb', 'shipments:ppecb.title'],
    ] as const) {
      await tab(walker, key)
      await judge(walker, name)
    }
    await walker.page.context().close()
  },
)

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
