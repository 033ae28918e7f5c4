import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
const imei = '490154203237518'
let stage: Stage
let page: Page
let headers: Record<string, string>

beforeAll(async () => {
  stage = await openStage()
  page = await stage.page()
  const { key } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Cape Citrus', 'export@places.test')
  headers = await logIn(page, 'export@places.test')
  const data = { imei, licenceKey: key, name: 'Probe 7', limits: { preset: 'refrigerated' } }
  expect((await page.request.post('/app/api/v1/devices/setup', { headers, data })).ok()).toBe(true)
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
    await page.screenshot({ path: join(shots, `export-${name}-${width}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const rowMenu = async (row: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${row}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const choosePort = async (text: string, option: RegExp) => {
  await dialog().getByRole('searchbox', { name: 'Ports', exact: true }).fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

test('an origin is added with its ports, found by port, edited and deleted', async () => {
  await page.goto('/export/dispatch/origin')
  await said('No origins yet')
  await page.getByRole('button', { name: 'Add origin' }).first().click()
  await inDialog('Add origin').click()
  await dialog().getByText('This is needed.').first().waitFor()
  await field('Name').fill('Patensie pack house')
  await field('Region').fill('Eastern Cape')
  await dialog().getByRole('combobox', { name: 'Country' }).fill('South Africa')
  await page.getByRole('option', { name: 'South Africa' }).click()
  await choosePort('Ngqura', /Coega/)
  await choosePort('johannes', /JNB/)
  await shoot('origin-dialog')
  expect(await axeFaults(page)).toEqual([])
  await inDialog('Add origin').click()
  await said('Origin added')
  await page.getByRole('searchbox', { name: /^Search by name/ }).fill('ngqura')
  await page.getByRole('row', { name: /Patensie.*ZAZBA/ }).waitFor()
  await shoot('origins')
  expect(await axeFaults(page)).toEqual([])
  await rowMenu('Patensie pack house', 'Edit')
  await dialog().getByRole('button', { name: 'Remove Coega' }).click()
  await field('Person of contact').fill('Sipho Dlamini')
  await inDialog('Save').click()
  await said('Origin edited')
  await page.getByRole('searchbox', { name: /^Search by name/ }).fill('sipho')
  await page.getByRole('row', { name: /Sipho Dlamini/ }).waitFor()
  await rowMenu('Patensie pack house', 'Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await said('Origin deleted')
})

test('destinations are a list of their own, and the partners are those of dispatch', async () => {
  await page.goto('/export/dispatch/destination')
  await page.getByRole('button', { name: 'Add destination' }).first().click()
  await field('Name').fill('Barendrecht cold store')
  await dialog().getByRole('combobox', { name: 'Country' }).fill('Netherlands')
  await page.getByRole('option', { name: 'Netherlands', exact: true }).click()
  await choosePort('rotterdam', /NLRTM/)
  await inDialog('Add destination').click()
  await said('Destination added')
  await page.getByRole('link', { name: 'Partners', exact: true }).click()
  await page.waitForURL('**/export/dispatch/partners')
  await said('No partners yet')
})

test('a certificate with its points and file stands in the register', async () => {
  await page.goto('/export/calibrations')
  await page.getByRole('button', { name: 'Add certificate' }).first().click()
  await dialog().getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: 'Probe 7' }).click()
  await field('Certificate number').fill('CAL-1')
  await field('Laboratory').fill('Cold Lab')
  await field('Calibrated on').fill('2020-03-01')
  await field('Due on').fill('2020-02-01')
  await field('Reference, °C').fill('0')
  await field('Reading, °C').fill('0.12')
  await inDialog('Add certificate').click()
  await dialog().getByText('The next calibration must be after this one.').waitFor()
  await field('Due on').fill('2021-03-01')
  const pdf = { name: 'cal.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await dialog().getByLabel('Certificate, PDF').setInputFiles(pdf)
  await shoot('calibration-dialog')
  expect(await axeFaults(page)).toEqual([])
  await inDialog('Add certificate').click()
  await said('Certificate added')
  await page.getByRole('row', { name: /Probe 7.*Due.*1 Mar 2021.*0\.12/ }).waitFor()
  await shoot('calibrations')
  const [file] = await Promise.all([page.waitForEvent('download'), rowMenu('CAL-1', 'Save the certificate')])
  expect(file.suggestedFilename()).toBe('CAL-1.pdf')
})

test('settings are saved; the secret is kept and never shown again', async () => {
  await page.goto('/export/settings')
  const on = (name: string) => page.getByRole('textbox', { name, exact: true })
  await on('GLN').fill('6001234500002')
  await page.getByRole('button', { name: 'Add regime' }).click()
  await on('Code').fill('EW01')
  await on('Set point, °C').fill('-1')
  await on('Address of the capture interface').fill('https://epcis.example.test/capture')
  await on('Header of the secret').fill('Authorization')
  await page.getByLabel('Secret', { exact: true }).fill('kept to ourselves')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('This GLN is not right', { exact: false }).first().waitFor()
  await on('GLN').fill('6001234500001')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await said('Export settings saved')
  await page.reload()
  await page.getByText('A secret is kept.', { exact: false }).waitFor()
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toBe('')
  expect(await page.content()).not.toContain('kept to ourselves')
  await shoot('settings')
  expect(await axeFaults(page)).toEqual([])
})

test('the company’s registrations are kept with its PPECB details', async () => {
  await page.goto('/settings/businessprofile')
  const form = page.getByRole('form', { name: 'PPECB details' })
  await form.getByRole('textbox', { name: 'UCN' }).fill('UCN-1')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('This is needed.').waitFor()
  await form.getByRole('textbox', { name: 'Exporter name' }).fill('Cape Citrus')
  await form.getByRole('button', { name: 'Add FBO code' }).click()
  await form.getByRole('textbox', { name: 'Code', exact: true }).fill('d0123')
  await form.getByRole('button', { name: 'Save' }).click()
  await said('PPECB details saved')
  await shoot('ppecb')
  await page.reload()
  expect(await form.getByRole('textbox', { name: 'Code', exact: true }).inputValue()).toBe('D0123')
})

test('every screen is in the reader’s language, and fits a phone', async () => {
  for (const locale of ['fr', 'es', 'sw'] as const) {
    const changed = await page.request.patch('/app/api/v1/auth/user/profile', { headers, data: { locale } })
    expect(changed.ok()).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['dispatch/origin', 'dispatch/destination', 'calibrations', 'settings']) {
      await page.goto(`/export/${path}`)
      await page.getByRole('main').waitFor()
      await page.waitForFunction(() => document.querySelector('[role=status][aria-label], [aria-busy=true]') === null)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      if (shots) await page.screenshot({ path: join(shots, `export-${path.replace('/', '-')}-${locale}.png`) })
    }
  }
})
