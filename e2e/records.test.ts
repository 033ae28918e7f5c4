import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, password, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@records.test'

let stage: Stage
let page: Page
let headers: Record<string, string>
let send: (minutesAgo: number, temperatureC: number) => Promise<unknown>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Records Ltd', admin)
  headers = await logIn(page, admin)
  const data = { imei, licenceKey: key, name: 'Van 3', intervalS: 180 }
  await page.request.post('/app/api/v1/devices/setup', { headers, data })
  send = (minutesAgo, temperatureC) =>
    measure(page, imei, secrets.get(imei) ?? '', {
      temperatureC,
      at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    })
})
afterAll(() => stage?.close())

const dialog = () => page.getByRole('dialog')

test('an empty list offers the first record, which begins now with a budget', async () => {
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await page.waitForURL('**/records')
  await page.getByText('No records yet').waitFor()
  await page.getByRole('button', { name: 'New record' }).first().click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByLabel('Name').fill('Trip 7')
  await dialog().getByRole('combobox', { name: 'Devices' }).click()
  await page.getByRole('option', { name: 'Van 3' }).click()
  await page.keyboard.press('Escape')
  await dialog().getByLabel('Lot').fill('VX-22')
  await dialog().locator('[data-path="budget.aboveC"]').fill('8')
  await dialog().getByRole('button', { name: 'Make record' }).click()
  await dialog().locator('[data-path="budget.aboveMinutes"][aria-invalid=true]').waitFor()
  await dialog().locator('[data-path="budget.aboveMinutes"]').fill('2')
  await dialog().getByRole('button', { name: 'Make record' }).click()
  await page.waitForURL(/\/records\/\d+$/)
  await page.getByText('2 hr left').waitFor()
})

test('what its device measures appears by itself', async () => {
  await send(0, 5)
  await page
    .getByRole('cell', { name: /5\.0\s°C/ })
    .first()
    .waitFor()
})

test('a note and a file are kept; a page called a picture is refused', async () => {
  await page.getByLabel('New note').fill('Seal 4711')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Seal 4711', { exact: true }).waitFor()
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles({
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<html><script></script>'),
  })
  await page.getByText('This file is not taken').waitFor()
  await choose.setInputFiles({ name: 'weights.csv', mimeType: 'text/csv', buffer: Buffer.from('pallet;kg\nA;412\n') })
  await page.getByText('weights.csv', { exact: true }).waitFor()
})

test('it is ended, signed with the password, and the signature is void once a note is added', async () => {
  await page.getByRole('button', { name: 'End record' }).click()
  await dialog().getByRole('button', { name: 'End record' }).click()
  await page.getByText('Ended by hand').waitFor()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByLabel('Reason').fill('Cold all the way')
  await dialog().getByLabel('Your password').fill('a wrong password')
  await dialog().getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByText('The current password is wrong.').waitFor()
  await dialog().getByLabel('Your password').fill(password)
  await dialog().getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByText('Cold all the way').waitFor()
  expect(await page.getByText(/^Void:/).count()).toBe(0)
  await page.getByLabel('New note').fill('One more thing')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Void: changed since it was signed: notes.').waitFor()
})

test('its report is built, and can be verified by anybody', async () => {
  await page.getByRole('button', { name: 'Report (PDF)' }).click()
  await dialog().getByRole('button', { name: 'Send report' }).click()
  await page.getByText(/^Ready/).waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Verify' }).click()
  await page.getByText('Trip 7').waitFor()
  await page.goBack()
  await page.getByText('Cold all the way').waitFor()
})

test('nothing on either screen is in the way of anybody', async () => {
  const look = async () => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes[0]?.html])
  }
  expect(await look()).toEqual([])
  await page.getByRole('link', { name: 'Records', exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: 'Trip 7' }).waitFor()
  await page.getByText('Signature void').waitFor()
  expect(await look()).toEqual([])
  expect(stage.faults).toEqual([])
})
