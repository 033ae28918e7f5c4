import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { admin, loggedIn, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const api = '/app/api/v1'

let stage: Stage
let page: Page
beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = (await admin(stage)).page
})
afterAll(() => stage?.close())

/** The secret in the dialog that shows it once, which is closed. */
async function takeSecret(): Promise<string> {
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  return secret
}
const statusWith = async (secret: string, path = '/devices') =>
  (await page.request.get(`${api}${path}`, { headers: { authorization: `Bearer ${secret}` } })).status()
const row = () => page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Warehouse' })
const act = async (name: string) => {
  await row().getByRole('button', { name: 'Actions for Warehouse' }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('a key is made, calls, is seen calling, rotated with both secrets good, and revoked', async () => {
  await page.goto('/developers')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByLabel('Name').fill('Warehouse')
  await page.getByLabel('Alarms: View').check()
  await page.getByRole('button', { name: 'Make key' }).click()
  await page.getByRole('dialog', { name: 'The secret of Warehouse' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  const secret = await takeSecret()
  expect(secret).toMatch(/^isokey_[0-9A-Za-z]{49}$/)
  await row().getByText('Devices: View · Alarms: View').waitFor()
  await row().getByText('Never used').waitFor()
  await page.getByText(`The secret of Warehouse (isokey_…${secret.slice(-4)})`).waitFor()

  expect(await statusWith(secret)).toBe(200)
  expect(await statusWith(secret, '/users')).toBe(403)
  const calls = page.getByRole('list', { name: 'Last calls' }).getByRole('listitem')
  await calls.filter({ hasText: 'GET /devices' }).getByText('200').waitFor()
  await page.getByRole('button', { name: 'Refused' }).click()
  await calls.filter({ hasText: 'GET /users' }).getByText('FORBIDDEN').waitFor()
  await calls.filter({ hasText: 'GET /devices' }).waitFor({ state: 'detached' })

  await act('Rotate')
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByText(/The secret before stays good until/).waitFor()
  const next = await takeSecret()
  expect([await statusWith(secret), await statusWith(next)]).toEqual([200, 200])

  await act('Revoke')
  await page.getByText('Programs that use it are refused at once.').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Warehouse was revoked').waitFor()
  expect([await statusWith(secret), await statusWith(next)]).toEqual([401, 401])
  await calls.filter({ hasText: 'KEY_REVOKED · 2 calls that day' }).waitFor()
  await page.getByRole('button', { name: '1 key that is over' }).click()
  await page.getByText(/revoked by/).waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect(stage.faults).toEqual([])
})

test('what the server refuses stands at its field, and what was typed stays; a phone shows all of it', async () => {
  const phone = await stage.page({
    viewport: { width: 390, height: 844 },
    storageState: await page.context().storageState(),
  })
  await phone.goto('/developers')
  await phone.getByRole('button', { name: 'Add key' }).first().click()
  await phone.getByLabel('Name').fill('Till')
  await phone.getByRole('combobox', { name: 'Networks' }).fill('home')
  await phone.keyboard.press('Enter')
  await phone.getByRole('button', { name: 'Make key' }).click()
  await phone.getByText('Give a network such as 203.0.113.0/24, or one address.').first().waitFor()
  expect(await phone.getByLabel('Name').inputValue()).toBe('Till')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await axeFaults(phone)).toEqual([])
})

test('nobody but an Admin has the screen', async () => {
  const manager = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Musa', role: 'manager' }))
  await manager.goto('/developers')
  await manager.waitForURL('**/404')
})
