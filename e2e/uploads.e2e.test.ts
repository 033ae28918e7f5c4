import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
let stage: Stage
let page: Page
let companies = 0

beforeAll(async () => {
  stage = await openStage()
})
/** A company of its own for each test and each try of it: rows that are there already would be copies. */
beforeEach(async () => {
  companies += 1
  const email = `upload-${companies}@shipments.test`
  page = await stage.page()
  await foundCompany(stage, page.request, 'Cape Citrus', email)
  const headers = await logIn(page, email)
  for (const [kind, name, country] of [
    ['origins', 'Patensie pack house', 'ZA'],
    ['destinations', 'Barendrecht cold store', 'NL'],
  ]) {
    const made = await page.request.post(`/app/api/v1/export/${kind}`, { headers, data: { name, country } })
    expect(made.ok(), await made.text()).toBe(true)
  }
  const position = { lat: 6.4489, lon: 3.3592 }
  const clinic = { name: 'Apapa clinic', address: '3 Creek Road, Apapa', country: 'NG', position }
  const made = await page.request.post('/app/api/v1/dispatch/contacts', { headers, data: clinic })
  expect(made.ok(), await made.text()).toBe(true)
})
afterAll(() => stage?.close())

async function shoot(name: string) {
  if (!shots) return
  for (const [width, colorScheme] of [
    [1366, 'light'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.screenshot({ path: join(shots, `upload-${name}-${width}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

const dialog = () => page.getByRole('dialog')
const said = (text: string) => dialog().getByText(text, { exact: false }).waitFor()
const choose = (label: string, ...lines: string[]) =>
  dialog()
    .getByLabel(label, { exact: true })
    .setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })

async function downloads(label: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('button', { name: label }).click(),
  ])
  return file.suggestedFilename()
}

const shipmentHead =
  'Reference;Logistics;Product;Origin;Destination;Mode of transport;From port;To port;Departure (ETD);Container'
const shipment = (reference: string, { destination = 'Barendrecht cold store', etd = '24/06/2027 18:00' } = {}) =>
  [
    ...[reference, 'external', 'Oranges', 'Patensie pack house', destination, 'sea', 'ZACPT', 'NLRTM', etd],
    'CSQU3054383',
  ].join(';')

test('a file of shipments is checked, mended and added; its errors are shown by row and column', async () => {
  await page.goto('/export/dispatch')
  await page.getByRole('button', { name: 'Upload a file' }).click()
  await said('Dates in the file')
  await shoot('empty')
  expect(await downloads('Workbook (XLSX)')).toBe('shipments-template.xlsx')
  await choose('The file', shipmentHead, shipment('PO 1'), shipment('PO 2', { destination: 'Nowhere' }))
  await said('3 errors.')
  // The order of day and month is asked, not guessed.
  await dialog()
    .getByRole('row', { name: /2.*Departure.*24\/06\/2027/ })
    .waitFor()
  await dialog()
    .getByRole('row', { name: /3.*Destination.*Nowhere/ })
    .waitFor()
  await shoot('wrong')
  expect(await axeFaults(page)).toEqual([])
  expect(await downloads('Download the workbook with the errors marked')).toMatch(/^shipments-\d+\.xlsx$/)
  await dialog().getByRole('combobox', { name: 'Dates in the file' }).selectOption('dmy')
  await said('1 error.')
  const further = shipment('PO 2').replace('Oranges', 'Lemons')
  await choose('The file', shipmentHead, shipment('PO 1'), shipment('PO 2'), further)
  await said('3 rows, no errors.')
  await said('one shipment: 2 shipments.')
  await said('1 row may be a copy.')
  await shoot('ready')
  expect(await axeFaults(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Add 3 rows' }).click()
  await said('3 rows were added: S-000001 – S-000002.')
  await said('1 row that was added may be a copy.')
  await dialog()
    .getByRole('row', { name: /3.*Container.*Row 2 has the same number/ })
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('stored')
  await dialog().getByRole('button', { name: 'Show the list' }).click()
  await page.getByRole('row', { name: /S-000002.*Oranges, Lemons/ }).waitFor()
})

const orderHead =
  'Reference,Sender,Pick-up address,Pick-up latitude,Pick-up longitude,Deliver by,Receiver,Item,Quantity'
const order = (reference: string, { receiver = 'Apapa clinic', by = '2030-01-31', quantity = '2' } = {}) =>
  [reference, 'Ikeja store', 'Ikeja', '6.6018', '3.3515', by, receiver, 'Vaccine box', quantity].join(',')

test('a file of orders, too: rows with the same reference are one order', async () => {
  await page.goto('/dispatch/overview')
  await page.getByRole('button', { name: 'Import' }).click()
  expect(await downloads('Workbook (XLSX)')).toBe('orders-template.xlsx')
  await choose('The file', orderHead, order('SO 1'), order('SO 2', { receiver: 'Nobody', quantity: '0' }))
  await said('2 errors.')
  await dialog()
    .getByRole('row', { name: /3.*Quantity.*0/ })
    .waitFor()
  await shoot('orders-wrong')
  expect(await axeFaults(page)).toEqual([])
  await choose('The file', orderHead, order('SO 1'), order('SO 1', { quantity: '5' }), order('SO 2'))
  await said('3 rows, no errors.')
  await said('one order: 2 orders.')
  await shoot('orders-ready')
  await dialog().getByRole('button', { name: 'Add 3 rows' }).click()
  await said('3 rows were added.')
  await shoot('orders-stored')
  await dialog().getByRole('button', { name: 'Show the list' }).click()
  await page
    .getByRole('row', { name: /Apapa clinic/ })
    .nth(1)
    .waitFor()
  await shoot('orders-list')
})

test('in French and Swahili, too', async () => {
  for (const [language, action, label, told] of [
    ['fr', 'Importer', 'Le fichier', '2 erreurs.'],
    ['sw', 'Ingiza', 'Faili', 'Makosa 2'],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('isotherm.language', chosen), language)
    await page.goto('/dispatch/overview')
    await page.getByRole('button', { name: action, exact: true }).click()
    await choose(label, orderHead, order('SO 1', { by: '31/01/2030', receiver: 'Nobody' }))
    await said(told)
    await shoot(`orders-wrong-${language}`)
  }
  expect(stage.faults).toEqual([])
})
