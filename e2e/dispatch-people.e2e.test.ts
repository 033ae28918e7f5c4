import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { admin } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const shots = process.env.SHOTS
let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = (await admin(stage)).page
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
    await page.screenshot({ path: join(shots, `dispatch-${name}-${width}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const rowMenu = async (row: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${row}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a vehicle and a driver are added; a wrong name, phone and plate say so at their fields', async () => {
  await page.goto('/dispatch/vehicles')
  await said('No vehicles yet')
  await shoot('empty')
  await button('Add vehicle').first().click()
  await field('Vehicle name').fill('Blue van')
  await field('Plate number').fill('- -')
  await inDialog('Add vehicle').click()
  await said('A plate has letters or digits.')
  await field('Plate number').fill('ABC 123 XY')
  await inDialog('Add vehicle').click()
  await said('Vehicle added')
  await page.getByRole('link', { name: 'Drivers' }).click()
  await button('Add driver').first().click()
  await field('Name').fill('Musa 2')
  await field('Phone').fill('0803 123 4567')
  await inDialog('Add driver').click()
  await said('Only letters, spaces, hyphens and apostrophes.')
  await field('Name').fill('Musa Bello')
  await field('Phone').fill('12')
  await inDialog('Add driver').click()
  await dialog().getByText('This phone number is not valid').waitFor()
  await field('Phone').fill('+2348031234567')
  // Below the field stands the number that will be called.
  await dialog().getByText('+234 803 123 4567').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('driver-dialog')
  await inDialog('Add driver').click()
  await said('Driver added')
})

test('a driver gets a vehicle, loses it, is deactivated and activated, and has a page', async () => {
  await page.goto('/dispatch/drivers')
  await rowMenu('Musa Bello', 'Assign vehicle')
  await dialog().getByRole('combobox', { name: 'Vehicle' }).click()
  await page.getByRole('option', { name: 'Blue van · ABC 123 XY' }).click()
  await inDialog('Assign vehicle').click()
  await said('Vehicle Assigned')
  await page.getByText('Blue van · ABC 123 XY').first().waitFor()
  await shoot('drivers')
  await rowMenu('Musa Bello', 'Unassign vehicle')
  await inDialog('Unassign vehicle').click()
  await said('Vehicle Unassigned')
  await rowMenu('Musa Bello', 'Deactivate')
  await inDialog('Deactivate').click()
  await said('Driver Deactivated')
  await page.getByRole('button', { name: /^Inactive/ }).click()
  await page.waitForURL('**/dispatch/drivers?status=inactive')
  await rowMenu('Musa Bello', 'Activate')
  await said('Driver Activated')
  await said('no results found')
  await page.goto('/dispatch/drivers')
  await page.getByText('Musa Bello').first().click()
  await page.waitForURL('**/dispatch/drivers/*')
  await said('No trips yet')
  expect(await axeFaults(page)).toEqual([])
  await shoot('driver')
})

test('contacts come from a file, whose faults are named first; one with the same phone is suggested', async () => {
  await page.goto('/dispatch/contacts')
  await said('No contacts yet')
  await button('Import CSV').click()
  const give = (text: string) =>
    page.getByLabel('The file').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await give('name;phone\nAda Obi;+2348031234567\nBola Eze;12')
  await dialog().getByRole('cell', { name: 'This phone number is not valid' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('import')
  await give('name;phone\nAda Obi;+2348031234567\nBola Eze;')
  await inDialog('Add 2 rows').click()
  await said('2 added')
  await page.getByText('Bola Eze').first().waitFor()
  await shoot('contacts')
  await button('Add contact').click()
  await field('Phone').fill('+234 803 123 4567')
  await dialog().getByText('Ada Obi has this phone number already.').waitFor()
  await shoot('same-phone')
  await inDialog('Open this contact').click()
  await dialog().getByText('Edit Ada Obi').waitFor()
  await field('Company').fill('Lagos Clinics')
  await inDialog('Save').click()
  await said('Contact edited')
  const saved = page.waitForEvent('download')
  await button('Export CSV').click()
  expect((await saved).suggestedFilename()).toBe('contacts.csv')
})

test('a partner is added and deleted', async () => {
  await page.goto('/dispatch/partners')
  await button('Add partner').first().click()
  const values = {
    ...{ 'Company name': 'Cold Movers', 'Company address': 'Apapa', 'Full name': 'Ada Obi' },
    ...{ 'Mail address': 'ada@movers.test', Phone: '+2348031234567' },
  }
  for (const [name, value] of Object.entries(values)) await field(name).fill(value)
  await dialog().getByRole('combobox', { name: 'Country' }).fill('Nigeria')
  await page.getByRole('option', { name: 'Nigeria', exact: true }).click()
  await shoot('partner-dialog')
  await inDialog('Add partner').click()
  await said('Partner added')
  await rowMenu('Cold Movers', 'Delete')
  await inDialog('Delete').click()
  await said('Partner deleted')
  await said('No partners yet')
})

test('nothing went wrong in the browser meanwhile', () => {
  expect(stage.faults).toEqual([])
})
