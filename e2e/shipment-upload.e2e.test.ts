import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = await stage.page()
  await foundCompany(stage, page.request, 'Cape Citrus', 'upload@shipments.test')
  const headers = await logIn(page, 'upload@shipments.test')
  for (const [kind, name, country] of [
    ['origins', 'Patensie pack house', 'ZA'],
    ['destinations', 'Barendrecht cold store', 'NL'],
  ]) {
    const made = await page.request.post(`/app/api/v1/export/${kind}`, { headers, data: { name, country } })
    expect(made.ok(), await made.text()).toBe(true)
  }
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
const head = 'Reference;Logistics;Product;Origin;Destination;Mode of transport;From port;To port;Departure (ETD)'
const line = (reference: string, { destination = 'Barendrecht cold store', etd = '24/06/2027 18:00' } = {}) =>
  [reference, 'external', 'Oranges', 'Patensie pack house', destination, 'sea', 'ZACPT', 'NLRTM', etd].join(';')
const choose = (...lines: string[]) =>
  dialog()
    .getByLabel('The file', { exact: true })
    .setInputFiles({ name: 'season.csv', mimeType: 'text/csv', buffer: Buffer.from([head, ...lines].join('\r\n')) })

test('a file is checked, mended and added; its errors are shown by row and column', async () => {
  await page.goto('/export/dispatch')
  await page.getByRole('button', { name: 'Upload a file' }).click()
  await dialog().getByText('Dates in the file').waitFor()
  await shoot('empty')
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('button', { name: 'Workbook (XLSX)' }).click(),
  ])
  expect(template.suggestedFilename()).toBe('shipments-template.xlsx')
  await choose(line('PO 1'), line('PO 2', { destination: 'Nowhere' }))
  await dialog().getByText('3 errors.', { exact: false }).waitFor()
  // The order of day and month is asked, not guessed.
  await dialog()
    .getByRole('row', { name: /2.*Departure.*24\/06\/2027/ })
    .waitFor()
  await dialog()
    .getByRole('row', { name: /3.*Destination.*Nowhere/ })
    .waitFor()
  await shoot('wrong')
  expect(await axeFaults(page)).toEqual([])
  const [marked] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('button', { name: 'Download the workbook with the errors marked' }).click(),
  ])
  expect(marked.suggestedFilename()).toMatch(/^shipments-\d+\.xlsx$/)
  await dialog().getByRole('combobox', { name: 'Dates in the file' }).selectOption('dmy')
  await dialog().getByText('1 error.', { exact: false }).waitFor()
  await choose(line('PO 1'), line('PO 2'))
  await dialog().getByText('2 rows, no errors.', { exact: false }).waitFor()
  await shoot('ready')
  expect(await axeFaults(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Add 2 rows' }).click()
  await dialog().getByText('2 rows were added: S-000001 – S-000002.').waitFor()
  await shoot('stored')
  await dialog().getByRole('button', { name: 'Show the list' }).click()
  await page.getByRole('row', { name: /S-000002/ }).waitFor()
})

test('in French, too', async () => {
  await page.evaluate(() => localStorage.setItem('isotherm.language', 'fr'))
  await page.goto('/export/dispatch')
  await page.getByRole('button', { name: 'Importer un fichier' }).click()
  const file = { name: 'saison.csv', mimeType: 'text/csv', buffer: Buffer.from(`${head}\r\n${line('po 1')}`) }
  await dialog().getByLabel('Le fichier', { exact: true }).setInputFiles(file)
  await dialog().getByText('2 erreurs.', { exact: false }).waitFor()
  await shoot('wrong-fr')
})
