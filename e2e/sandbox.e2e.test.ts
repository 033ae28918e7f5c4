import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { admin } from './people.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let page: Page
beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = (await admin(stage)).page
})
afterAll(() => stage?.close())

const banner = (tab: Page) => tab.getByText('Sandbox: nothing here is real')
const open = async (): Promise<Page> => {
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open the sandbox' }).click(),
  ])
  await banner(tab).waitFor()
  return tab
}
const tokenIn = (tab: Page, store: 'localStorage' | 'sessionStorage', key: string) =>
  tab.evaluate(([name, item]) => JSON.parse(globalThis[name].getItem(item) ?? 'null')?.token ?? null, [
    store,
    key,
  ] as const)

test('a sandbox is made by one button, opened in a tab of its own, and the tab of the company stays as it was', async () => {
  await page.goto('/developers')
  await page.getByText('No sandbox yet').waitFor()
  await page.getByRole('button', { name: 'Make a sandbox' }).click()
  await page.getByRole('button', { name: 'Open the sandbox' }).waitFor()
  expect(await axeFaults(page)).toEqual([])

  const own = await tokenIn(page, 'localStorage', 'isotherm.session')
  const tab = await open()
  await tab.goto('/devices/device-overview')
  await tab.getByRole('row').filter({ hasText: 'Sample fridge' }).waitFor()
  await banner(tab).waitFor()
  expect(await axeFaults(tab)).toEqual([])
  expect(await tokenIn(tab, 'sessionStorage', 'isotherm.sandbox')).not.toBe(own)
  expect(await tokenIn(page, 'localStorage', 'isotherm.session')).toBe(own)
  expect(await tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('isotherm.known')))).toEqual(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('isotherm.known'))),
  )
  await page.reload()
  await page.getByText('Sandbox', { exact: true }).waitFor()
  expect(await banner(page).count()).toBe(0)

  await tab.goto('/developers')
  await tab.getByRole('button', { name: 'Add key' }).waitFor()
  expect(await tab.getByRole('button', { name: 'Open the sandbox' }).count()).toBe(0)
  await tab.getByRole('button', { name: 'Leave the sandbox' }).click()
  await tab.getByRole('button', { name: 'Open the sandbox' }).waitFor()
  expect(await banner(tab).count()).toBe(0)
  await tab.close()
})

test('its clock is wound on the screen, which then shows that time, and a scenario is played', async () => {
  const tab = await open()
  await tab.goto('/developers')
  const stands = () => tab.getByText('Can still be wound by').waitFor()
  const clock = tab.getByRole('region', { name: 'Clock' })
  await clock.getByText('Can still be wound by 28 days').waitFor()
  expect(await axeFaults(tab)).toEqual([])
  await clock.getByLabel('Wind by').fill('2')
  await clock.getByLabel('Unit').selectOption('hours')
  await clock.getByRole('button', { name: 'Wind', exact: true }).click()
  await clock.getByText('Can still be wound by 27 days 22 hr').waitFor()
  await clock.getByRole('button', { name: 'Play: Door left open' }).click()
  await clock.getByText('Can still be wound by 27 days 20 hr').waitFor()
  await tab.goto('/devices/device-overview')
  const row = tab.getByRole('row').filter({ hasText: 'Sample fridge' })
  await row
    .getByText(/^(now|\d+ (sec|min)\.? ago)$/)
    .first()
    .waitFor()
  expect(await tab.getByText('Set up a device').count()).toBe(0)
  await row.click()
  await tab
    .getByText(/^Excursions$/)
    .first()
    .waitFor()
  expect(await tab.getByText('No readings in this period').count()).toBe(0)
  await tab.goto('/developers')
  await stands()
  await tab.close()
})

const sentence = 'This is closed in a sandbox'

test('what is closed in it is not on its screens, or says so', async () => {
  const tab = await open()
  const headers = { authorization: `Bearer ${await tokenIn(tab, 'sessionStorage', 'isotherm.sandbox')}` }
  const api = async (method: 'GET' | 'POST', path: string, data?: object) =>
    (await (await tab.request.fetch(`/app/api/v1${path}`, { method, headers, data })).json()).payload
  const device = (await api('GET', '/devices')).data[0].id
  const group = (await api('POST', '/groups', { name: `Shelf ${Date.now()}` })).id
  // Each screen, with what shows that it is there, and the buttons of closed calls.
  const screens: [path: string, shown: string | RegExp, ...closed: string[]][] = [
    ['/devices/device-overview', 'Sample fridge', 'Set up a device', 'Set up from a file'],
    ['/devices/setup-from-file', sentence, 'Choose a file'],
    // The device's first session appears by itself, some minutes after its readings.
    ['/devices/device-sessions', /^(No sessions yet|Sample fridge)$/, 'Make a session'],
    [`/devices/report/${device}`, 'Limits in the period', 'Download'],
    [
      `/devices/${device}/settings`,
      'Hardware',
      ...['Make a link', 'Swap hardware', 'Turn on now', 'Schedule by flight', 'Turn off', 'Take out of use'],
    ],
    [`/groups/${group}/users`, 'No members yet', 'Add members'],
    [`/groups/${group}/records`, 'No records yet', 'New record'],
    [`/groups/${group}/settings`, 'Delete the group', 'Make a link'],
    ['/records', 'No records yet', 'New record'],
    ['/alarms/on-call', 'No rota yet', 'Add rota'],
    ['/users/all-users', 'Admin of the sandbox', 'Add User'],
    ['/support', sentence, 'Send'],
    ['/settings/profile', sentence, 'Save'],
    ['/settings/changepassword', sentence, 'Change password'],
    ['/settings/security', sentence, 'Add a passkey'],
    ['/settings/security/sso', sentence, 'Save'],
    ['/settings/businessprofile', sentence, 'Save'],
    ['/settings/chart-settings', sentence, 'Save'],
    ['/settings/sharing', 'Wall screens', 'Add wall screen'],
  ]
  for (const [path, shown, ...closed] of screens) {
    await tab.goto(path)
    await tab.getByText(shown).filter({ visible: true }).first().waitFor()
    await tab.waitForLoadState('load')
    for (const name of closed)
      expect(await tab.getByRole('button', { name, exact: true, disabled: false }).count(), `${path}: ${name}`).toBe(0)
    expect(await tab.getByText(sentence).count(), path).toBe(shown === sentence ? 1 : 0)
  }
  // Buttons of open calls are there.
  await tab.goto('/alarms/list')
  await tab
    .getByRole('button', { name: 'Add alarm' })
    .or(tab.getByRole('link', { name: 'Add alarm' }))
    .first()
    .waitFor()
  await tab.close()
})

test('a tab in it is a tab of the company again once the sandbox ends', async () => {
  const tab = await open()
  await page.getByRole('button', { name: 'End the sandbox' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the sandbox' }).click()
  await page.getByText('No sandbox yet').waitFor()
  await tab.waitForURL(/\/developers/)
  await tab.getByText('No sandbox yet').waitFor()
  expect(await banner(tab).count()).toBe(0)
})
