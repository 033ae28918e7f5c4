import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, taken } from './devices-company.ts'
import { admin, authorization, loggedIn, nothing, permit, teamMember } from './people.ts'
import { goOn, type Ids, sessionScreens, settle } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const pathOf = (url: string) => new URL(url).pathname
/** Wherever a row is named, one that the company of a test does not have. */
const strange = new Proxy({} as Ids, { get: () => '1' })
const sessionPaths = [
  '/companyprofile',
  ...Object.entries(sessionScreens).map(([path, { at }]) => at?.(strange) ?? path),
]

test('without a login every session screen leads to /login, and every unmatched path to /404', async () => {
  const page = await stage.page()
  const leads = async (path: string) => {
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(pathOf(page.url()), path).toBe('/login')
  }
  for (const path of ['/', '/dashboard']) {
    await page.goto(path)
    await leads(path)
  }
  for (const path of sessionPaths) {
    await goOn(page, path)
    await leads(path)
  }
  for (const path of ['/nowhere', '/users/x/y', '/login/now', '/settings/nothing']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(pathOf(page.url()), path).toBe('/404')
  }
})

test('after the login somebody arrives where they wanted to go', async () => {
  const { email } = await admin(stage)
  const page = await stage.page()
  await page.goto('/users/all-users?search=amina')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/users/all-users?search=amina')
})

test('somebody logged in is sent from the guest screens to the start, and by the redirects', async () => {
  const { page } = await admin(stage)
  for (const path of ['/login', '/signup', '/forgotpassword', '/reset/abc', '/']) {
    await page.goto(path)
    await page.waitForURL('**/dashboard')
  }
  const redirects = {
    '/users': '/users/all-users',
    '/settings': '/settings/profile',
    '/devices': '/devices/device-overview',
    '/alarms': '/alarms/list',
    '/wallet': '/wallet/overview',
    '/subscription': '/subscription/devices',
  }
  for (const [from, to] of Object.entries(redirects)) {
    await page.goto(from)
    await page.waitForURL(`**${to}`)
  }
})

test('a stored session without a token is logged out on load', async () => {
  const { page } = await admin(stage)
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('isotherm.session') ?? '{}')
    localStorage.setItem('isotherm.session', JSON.stringify({ ...stored, token: null }))
  })
  await page.goto('/settings/profile')
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.getItem('isotherm.session'))).toBeNull()
})

test('a session that the server no longer knows ends quietly', async () => {
  const { page } = await admin(stage)
  await taken(page.request.post('/app/api/v1/auth/logout', { headers: await authorization(page) }))
  await page.goto('/users/all-users')
  await page.waitForURL('**/login')
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('logging out clears everything stored, in every tab', async () => {
  const { page } = await admin(stage)
  await page.goto('/dashboard')
  const second = await page.context().newPage()
  await second.goto('/settings/profile')
  await second.getByRole('heading', { name: 'Settings' }).waitFor()
  await page.getByRole('button', { name: /account and settings/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await second.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
})

test('a Staff member sees no Users, and is told at once when an Admin lets them', async () => {
  const { page } = await admin(stage)
  const staff = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Fatou Diallo', role: 'staff' }))
  const users = staff.getByRole('navigation').getByRole('link', { name: 'Users' }).first()
  await staff.goto('/users/all-users')
  await staff.waitForURL('**/404')
  await staff.goto('/settings/profile')
  await staff.getByLabel('Full name').waitFor()
  expect(await users.count()).toBe(0)

  await page.goto('/users/permissions')
  await page.getByRole('tab', { name: 'Staff' }).click()
  await page.getByRole('checkbox', { name: 'Users: View' }).check()
  await page.getByRole('button', { name: 'Save Permissions' }).click()
  await page.getByText('Permissions updated').waitFor()
  await users.waitFor()
  await users.click()
  await staff.getByRole('row', { name: /Fatou Diallo/ }).waitFor()
  expect(await staff.getByRole('button', { name: 'Add User' }).count()).toBe(0)
  expect(await staff.getByRole('button', { name: 'Export CSV' }).count()).toBe(0)
  expect(await staff.getByRole('link', { name: 'Permissions' }).count()).toBe(0)

  // Taken away again while the screen is open: it leaves, without a refused call.
  await page.getByRole('checkbox', { name: 'Users: View' }).uncheck()
  await page.getByRole('button', { name: 'Save Permissions' }).click()
  await staff.waitForURL('**/404')
  expect(stage.faults).toEqual([])
})

test('the boxes of Admin cannot be changed, and its Save does nothing', async () => {
  const { page } = await admin(stage)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
  await page.goto('/users/permissions')
  const boxes = page.getByRole('checkbox')
  await boxes.first().waitFor()
  expect(await boxes.count()).toBe(21)
  for (const box of await boxes.all()) {
    expect(await box.isDisabled()).toBe(true)
    expect(await box.isChecked()).toBe(true)
  }
  await page.getByRole('button', { name: 'Save Permissions' }).click()
  await page.getByRole('tab', { name: 'Manager' }).click()
  await page.getByRole('checkbox', { name: 'Devices: View' }).waitFor()
  expect(sent).toEqual([])
})

test('a role without any permission walks every session screen without one refused call', async () => {
  const { page } = await admin(stage)
  const email = await teamMember(stage, page, { fullname: 'Chidi Okafor', role: 'staff' })
  await permit(page.request, await authorization(page), 'staff', nothing)
  const staff = await loggedIn(stage, email)
  const refused: string[] = []
  staff.on('response', (response) => response.status() === 403 && refused.push(response.url()))
  await staff.goto('/404')
  for (const path of sessionPaths) {
    await goOn(staff, path)
    await settle(staff)
  }
  expect(refused).toEqual([])
  expect(pathOf(staff.url())).not.toBe('/login')
})
