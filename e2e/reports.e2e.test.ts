import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@reports.test'

let stage: Stage
let page: Page
let headers: Record<string, string>
let deviceId: string

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Reports Ltd', admin)
  headers = await logIn(page, admin)
  const data = { imei, licenceKey: key, name: 'Cold room', intervalS: 180 }
  await ask('post', '/devices/setup', data)
  deviceId = (await ask('get', '/devices')).data[0].id
  await measure(page, imei, secrets.get(imei) ?? '', { temperatureC: 5, at: new Date().toISOString() })
})
afterAll(() => stage?.close())

async function ask(method: 'get' | 'post' | 'delete', path: string, data?: object) {
  const answer = await page.request[method](`/app/api/v1${path}`, { headers, ...(data && { data }) })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()).payload
}

/** The list with these reports and no others: whatever an earlier try left behind. */
async function listWith(...reports: object[]) {
  for (const { id } of (await ask('get', '/report')).data) await ask('delete', `/report/${id}`)
  for (const report of reports) await ask('post', '/report', { timezone: 'UTC', deviceIds: [deviceId], ...report })
  await page.goto('/reports')
}
const weekly = { name: 'Every Monday <b>', cadence: 'weekly', formats: ['pdf', 'xlsx'] }

const drawer = () => page.getByRole('dialog')
const accessible = async () => expect(await axeFaults(page)).toEqual([])

test('an empty list offers the first report; what it lacks is pointed out at its field', async () => {
  await listWith()
  await page.getByRole('link', { name: 'Reports', exact: true }).waitFor()
  await page.getByText('No reports yet').waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Add report' }).first().click()
  await drawer().locator(':focus').waitFor()
  await drawer().getByRole('button', { name: 'Add report' }).click()
  await drawer().locator('[data-path=name][aria-invalid=true]').waitFor()
  await drawer().locator('[data-path=deviceIds][aria-invalid=true]').waitFor()
})

test('a report is created from the form', async () => {
  await listWith()
  await page.getByRole('button', { name: 'Add report' }).first().click()
  await drawer().locator(':focus').waitFor()
  await drawer().getByLabel('Name', { exact: true }).fill('Every Monday <b>')
  await drawer().getByRole('combobox', { name: 'Devices' }).click()
  await page.getByRole('option', { name: 'Cold room' }).click()
  await page.keyboard.press('Escape')
  await drawer().getByLabel('XLSX').check()
  const addresses = drawer().getByRole('combobox', { name: 'Mail addresses' })
  for (const address of ['boss@example.test', 'nobody']) {
    await addresses.fill(address)
    await page.keyboard.press('Enter')
  }
  await drawer().getByText('“nobody” is not a mail address.').waitFor()
  expect(await drawer().getByText('nobody', { exact: true }).count()).toBe(0)
  await accessible()
  await drawer().getByRole('button', { name: 'Add report' }).click()
  await page.getByText('Report created').waitFor()
  await page.getByText('Every Monday <b>').waitFor()
  await page.getByText('Every Monday at 07:00').waitFor()
  await accessible()
})

/** A busy machine takes its time for a report. */
const slowMs = 240_000

test('it is run now, and its files are downloaded by their links', { timeout: 2 * slowMs }, async () => {
  await listWith({ ...weekly, recipients: [{ email: 'boss@example.test' }] })
  await page.getByRole('button', { name: 'Actions for Every Monday <b>' }).click()
  await page.getByRole('menuitem', { name: 'Run now' }).click()
  const question = page.getByRole('dialog', { name: 'Run Every Monday <b> now?' })
  await question.getByText('sent to its 1 recipient').waitFor()
  await question.getByRole('button', { name: 'Run now' }).click()
  const runs = drawer().getByRole('list', { name: 'Runs of Every Monday <b>' })
  await runs.getByText('Ready').waitFor({ timeout: slowMs })
  const link = runs.getByRole('link', { name: /^Download .*\.pdf$/ })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^every-monday-b-\d{4}-\d\d-\d\d\.pdf$/)
  await runs.getByText('mailed to 1 of 1').waitFor({ timeout: 60_000 })
  await accessible()
  // Its address is that of the open runs.
  await page.reload()
  await runs.getByText('Ready').waitFor()
  await page.goBack()
  await drawer().waitFor({ state: 'detached' })
})

test('it is paused, edited and, after a question, deleted', async () => {
  await listWith(weekly)
  await page.getByRole('button', { name: 'Actions for Every Monday <b>' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByRole('cell', { name: 'Paused' }).waitFor()
  await page.getByRole('button', { name: 'Actions for Every Monday <b>' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await drawer().locator(':focus').waitFor()
  await drawer().getByLabel('Name', { exact: true }).fill('Each day')
  await drawer().getByText('Daily', { exact: true }).click()
  await drawer().getByRole('button', { name: 'Save' }).click()
  await page.getByText('Report edited').waitFor()
  await page.getByText('Every day at 07:00').waitFor()
  await page.getByRole('button', { name: 'Actions for Each day' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Each day?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No reports yet').waitFor()
})
