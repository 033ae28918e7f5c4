import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, password, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@records.test'

let stage: Stage
let page: Page
let headers: Record<string, string>
let deviceId: string
let send: (minutesAgo: number, temperatureC: number) => Promise<unknown>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Records Ltd', admin)
  headers = await logIn(page, admin)
  const data = { imei, licenceKey: key, name: 'Van 3', intervalS: 180 }
  const answer = await page.request.post('/app/api/v1/devices/setup', { headers, data })
  deviceId = (await answer.json()).payload.id
  send = (minutesAgo, temperatureC) =>
    measure(page, imei, secrets.get(imei) ?? '', {
      temperatureC,
      at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    })
})
afterAll(() => stage?.close())

const dialog = () => page.getByRole('dialog')

let made = 0
/** A record of its own for each test and each try of it, shown; running, or with `endAt` over. */
async function openRecord(more: { startAt?: string; endAt?: string } = {}): Promise<string> {
  made += 1
  const name = `Trip ${100 + made}`
  const data = { name, deviceIds: [deviceId], ...more }
  const answer = await page.request.post('/app/api/v1/enterprise/record', { headers, data })
  await page.goto(`/records/${(await answer.json()).payload.id}`)
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  return name
}
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const past = () => ({ startAt: ago(60), endAt: ago(1) })

/** `kind`: how, to a record that is signed. */
async function addNote(text: string, kind?: 'As an addendum' | 'As a part of the record') {
  await page.getByLabel('New note').fill(text)
  await page.getByRole('button', { name: 'Add note' }).click()
  if (kind) {
    await dialog().getByRole('radio', { name: kind }).click()
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  }
  // The text of the field it is typed in is none of the list.
  await page.getByRole('listitem').getByText(text, { exact: true }).waitFor()
}

test('the list offers a new record, which begins now with a budget', async () => {
  made += 1
  await page.goto('/records')
  await page.getByRole('button', { name: 'New record' }).first().click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByLabel('Name').fill(`Trip ${made}`)
  await dialog().getByRole('combobox', { name: 'Devices' }).click()
  await page.getByRole('option', { name: 'Van 3' }).click()
  await page.keyboard.press('Escape')
  await dialog().getByLabel('Lot').fill(`VX-${made}`)
  await dialog().locator('[data-path="budget.aboveC"]').fill('8')
  await dialog().getByRole('button', { name: 'Make record' }).click()
  await dialog().locator('[data-path="budget.aboveMinutes"][aria-invalid=true]').waitFor()
  await dialog().locator('[data-path="budget.aboveMinutes"]').fill('2')
  await dialog().getByRole('button', { name: 'Make record' }).click()
  await page.waitForURL(/\/records\/\d+$/)
  await page.getByText('2 hr left').waitFor()
})

test('what its device measures appears by itself, and it is ended by hand', async () => {
  await openRecord()
  await send(0, 5)
  await page
    .getByRole('cell', { name: /5\.0\s°C/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'End record' }).click()
  await dialog().getByRole('button', { name: 'End record' }).click()
  await page.getByText('Ended by hand').waitFor()
})

test('a note and a file are kept; a page called a picture is refused', async () => {
  await openRecord()
  await addNote('Seal 4711')
  const choose = page.locator('input[type=file]')
  const html = Buffer.from('<html><script></script>')
  await choose.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: html })
  await page.getByText('This file is not taken').waitFor()
  await choose.setInputFiles({ name: 'weights.csv', mimeType: 'text/csv', buffer: Buffer.from('pallet;kg\nA;412\n') })
  await page.getByText('weights.csv', { exact: true }).waitFor()
})

test('one that is over is signed with the password, once however often the button is pressed; a note makes the signature void', async () => {
  const name = await openRecord(past())
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByLabel('Reason').fill('Cold all the way')
  await dialog().getByLabel('Your password').fill('a wrong password')
  await dialog().getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByText('The current password is wrong.').waitFor()
  await dialog().getByLabel('Your password').fill(password)
  await dialog().getByRole('button', { name: 'Sign', exact: true }).dblclick()
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('Cold all the way').waitFor()
  expect(await page.getByText('Cold all the way').count()).toBe(1)
  expect(await page.getByText(/^Void:/).count()).toBe(0)
  await addNote('Seen by the carrier, too', 'As an addendum')
  const added = page.getByRole('listitem').filter({ hasText: 'Seen by the carrier, too' })
  await added.getByText(/^Addendum ·/).waitFor()
  expect(await page.getByText(/^Void:/).count()).toBe(0)
  await addNote('One more thing', 'As a part of the record')
  await page.getByText('Void: changed since it was signed: notes.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Records', exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: name }).getByText('Signature void').waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('its excursions and papers stand above its readings, and links lead to each', async () => {
  await send(0, 5)
  await openRecord({ startAt: ago(60), endAt: ago(0) })
  const parts = page.getByRole('navigation', { name: 'Parts of this record' })
  const headings = ['Signatures', 'Notes', 'Reports', 'Readings']
  // All in one moment: what still loads moves them.
  const tops = () =>
    page
      .getByRole('heading')
      .evaluateAll(
        (found, names) =>
          names.map(
            (name) => found.find(({ textContent }) => textContent === name)?.getBoundingClientRect().top ?? Number.NaN,
          ),
        headings,
      )
  await page.getByRole('table', { name: 'Readings' }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true], [role=status][aria-label]').count()).toBe(0)
  const order = await tops()
  expect(order.every(Number.isFinite)).toBe(true)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  const height = page.viewportSize()?.height ?? 0
  expect(order.at(-1)).toBeGreaterThan(height)
  await parts.getByRole('link', { name: 'Readings', exact: true }).click()
  await page.waitForURL('**#readings')
  await expect.poll(async () => (await tops()).at(-1)).toBeLessThan(height)
})

/** A busy machine takes its time for a report. */
const slowMs = 240_000

test('its report is built, and can be verified by anybody', { timeout: 2 * slowMs }, async () => {
  const name = await openRecord(past())
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download', { timeout: slowMs }),
    page.getByRole('menuitem', { name: 'PDF', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${name}.pdf`)
  await page.getByText(/^Ready/).waitFor()
  await page.getByRole('link', { name: 'Verify' }).click()
  // The address changes before the screen does.
  await page.getByRole('heading', { name: 'Verify a report' }).waitFor()
  await page.getByText(name, { exact: true }).first().waitFor()
  expect(stage.faults).toEqual([])
})
