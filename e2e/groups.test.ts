import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const imeis = ['490154203237518', '356938035643809']
const admin = 'admin@groups.test'

let stage: Stage
let page: Page
let headers: Record<string, string>
let deviceIds: string[]

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Groups Ltd', admin)
  headers = await logIn(page, admin)
  deviceIds = []
  for (const [index, imei] of imeis.entries()) {
    const data = { imei, licenceKey: key, name: `Fridge ${index + 1}`, intervalS: 180 }
    const answer = await page.request.post('/app/api/v1/devices/setup', { headers, data })
    deviceIds.push((await answer.json()).payload.id)
    await measure(page, imei, secrets.get(imei) ?? '', { temperatureC: 4 + index, humidityPct: 50 })
  }
})
afterAll(() => stage?.close())

const dialog = () => page.getByRole('dialog')
const tab = (name: string) =>
  page.getByRole('navigation', { name: 'Group' }).getByRole('link', { name, exact: true }).click()

let made = 0
const newName = () => {
  made += 1
  return `Store ${made}`
}
/** A group of its own for each test and each try of it, with both devices. */
async function makeGroup() {
  const name = newName()
  const answer = await page.request.post('/app/api/v1/groups', { headers, data: { name, deviceIds } })
  return { name, id: (await answer.json()).payload.id as string }
}

test('a group is made, and all devices that are found are added at once', async () => {
  const name = newName()
  await page.goto('/groups')
  await page.getByRole('button', { name: 'Add group' }).first().click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByLabel('Name').fill(name)
  await dialog().getByRole('button', { name: 'Add group' }).click()
  await page.waitForURL(/\/groups\/\d+\/devices/)
  // The dialog is gone with its screen: the focus is on the next one, where Tab goes on.
  await page.locator('main:focus').waitFor()
  // Before the group is there, nothing in the content takes the focus.
  await page.getByRole('button', { name: 'Add devices' }).first().waitFor()
  await page.keyboard.press('Tab')
  await page.locator('main :focus').waitFor()
  await page.getByRole('button', { name: 'Add devices' }).first().click()
  await dialog().locator(':focus').waitFor()
  await dialog().getByRole('button', { name: 'Add all 2 found' }).click()
  await dialog().waitFor({ state: 'detached' })
  for (const device of ['Fridge 1', 'Fridge 2']) await page.getByRole('row').filter({ hasText: device }).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('overview, chart and statistics are of its devices', async () => {
  const { id } = await makeGroup()
  await page.goto(`/groups/${id}/overview`)
  for (const value of ['4.0', '5.0']) await page.getByRole('row').filter({ hasText: value }).first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await tab('Group chart')
  await page.getByText('Mean of 2 devices').waitFor()
  await page.getByRole('row').filter({ hasText: 'Fridge 2' }).waitFor()
  await page.getByText('Humidity', { exact: true }).first().click()
  await page
    .getByRole('row')
    .filter({ hasText: 'Fridge 2' })
    .filter({ hasText: /50\s?%/ })
    .waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('on a phone its open alarms stand before its map', async () => {
  const { id } = await makeGroup()
  const window = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  try {
    await page.goto(`/groups/${id}/overview`)
    const parts = ['Open alarms', 'Positions of the group’s devices']
    for (const name of parts) await page.getByRole('region', { name, exact: true }).first().waitFor()
    const order = await page
      .locator('main :is(section, [role=region])')
      .evaluateAll((all) => all.map((part) => part.ariaLabel))
    expect(order.filter((name) => name && parts.includes(name)).slice(0, 2)).toEqual(parts)
  } finally {
    if (window) await page.setViewportSize(window)
  }
})

test('its devices are exported as CSV, those that the search leaves', async () => {
  const { id } = await makeGroup()
  await page.goto(`/groups/${id}/devices?search=Fridge 2`)
  await page.getByRole('row').filter({ hasText: 'Fridge 2' }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('group-devices.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect([lines.length, lines[1]?.slice(0, 11)]).toEqual([2, '"Fridge 2",'])
})

test('its default limits are given to its devices where somebody says so', async () => {
  const { id } = await makeGroup()
  await page.goto(`/groups/${id}/settings`)
  await page.getByRole('switch').check({ force: true })
  await page.locator('[data-path="limits.temperatureMaxC"]').fill('9.5')
  await page.getByLabel('Also give them to all 2 devices').check()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Group saved').first().waitFor()
  for (const device of deviceIds) {
    const { payload } = await (await page.request.get(`/app/api/v1/devices/${device}`, { headers })).json()
    expect(payload.limits.temperatureMaxC).toBe(9.5)
  }
})

test('devices are taken out, and a group is deleted after a question that names it; the devices stay', async () => {
  const { id, name } = await makeGroup()
  await page.goto(`/groups/${id}/devices`)
  await page.getByRole('row').filter({ hasText: 'Fridge 1' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Take out' }).first().click()
  await dialog().getByText(`Take 1 device out of ${name}?`).waitFor()
  await dialog().getByRole('button', { name: 'Take out' }).click()
  await page.getByRole('row').filter({ hasText: 'Fridge 1' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions for Fridge 2' }).click()
  await page.getByRole('menuitem', { name: 'Take out' }).click()
  await dialog().getByText(`Take Fridge 2 out of ${name}?`).waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await tab('Settings')
  await page.getByRole('button', { name: 'Delete the group' }).click()
  await dialog().getByText(`Delete ${name}?`).waitFor()
  await dialog()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.waitForURL('**/groups')
  await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' })
  const { payload } = await (await page.request.get('/app/api/v1/devices', { headers })).json()
  expect(payload.meta.total).toBe(2)
  expect(stage.faults).toEqual([])
})
