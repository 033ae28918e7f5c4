import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const admin = 'admin@sample.test'

let stage: Stage
let page: Page
let headers: Record<string, string>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  await foundCompany(stage, page.request, 'Sample Ltd', admin)
  headers = await logIn(page, admin)
})
afterAll(() => stage?.close())

const addSample = () => page.getByRole('button', { name: 'Add a sample device' })
const tab = (name: string) => page.getByRole('navigation', { name: 'Device' }).getByRole('link', { name, exact: true })
const isPressed = (name: string) => page.getByRole('radio', { name, exact: true }).isChecked()

test('one button of the first steps adds a sample device, which has a history and says that it is one', async () => {
  await page.goto('/dashboard')
  await addSample().click()
  await page.waitForURL(/\/devices\/\d+\/details/)
  await page.getByText('Sample', { exact: true }).waitFor()
  await page.getByText('Its readings are made up').waitFor()
  await page.getByText('Live').or(page.getByText('In range')).first().waitFor()
  await page.getByText('2–8 °C').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.goto('/devices/device-overview')
  await page.getByRole('row').filter({ hasText: 'Sample fridge' }).getByText('Sample', { exact: true }).waitFor()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Look at the sample device' }).waitFor()
  await page.getByText('0 of 5 done').waitFor()
})

test('a period that was chosen on one tab of a device is that of the others', async () => {
  await page.getByRole('link', { name: 'Look at the sample device' }).click()
  await page.getByText('7 days', { exact: true }).click()
  await page.waitForURL(/period=7d/)
  await tab('Excursions').click()
  await page.waitForURL(/excursions\?period=7d/)
  // The address changes before the screen does.
  await page.getByRole('combobox', { name: 'Cause', exact: true }).waitFor()
  await expect.poll(() => isPressed('7 days')).toBe(true)
  await page.getByText('30 days', { exact: true }).click()
  await page.waitForURL(/period=30d/)
  await tab('Settings').click()
  await page.waitForURL(/settings\?period=30d/)
  await tab('Details').click()
  await page.waitForURL(/details\?period=30d/)
  await expect.poll(() => isPressed('30 days')).toBe(true)
})

test('one button removes it, and the empty list offers another', async () => {
  await page.getByRole('button', { name: 'Remove the sample device' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The audit trail stays').waitFor()
  await dialog.getByRole('button', { name: 'Remove the sample device' }).click()
  await page.waitForURL(/device-overview/)
  await page.getByText('No devices yet').waitFor()
  // The server deletes it in the background.
  const left = async () => {
    const answer = await page.request.get('/app/api/v1/devices/decommissioned', { headers })
    return (await answer.json()).payload.meta.total
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  await addSample().click()
  await page.waitForURL(/\/devices\/\d+\/details/)
  expect(stage.faults).toEqual([])
})
