import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from './devices-company.ts'
import { admin, authorization, loggedIn, teamMember } from './people.ts'
import { launchBrowser, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('the list of users keeps search and sort in the URL, edits, deletes after asking, and exports', async () => {
  const { page, email } = await admin(stage)
  await teamMember(stage, page, { fullname: 'Zainab Bello', role: 'manager' })
  await teamMember(stage, page, { fullname: 'Ben Otieno', role: 'staff' })
  await page.goto('/users/all-users')
  const names = page.locator('tbody tr td:first-child')
  await page.getByRole('row', { name: /Zainab/ }).waitFor()
  await page.getByRole('button', { name: 'Name' }).click()
  await page.waitForURL('**/users/all-users?sort=-fullname')
  await expect.poll(() => names.allTextContents()).toEqual(['Zainab Bello', 'Ben Otieno', 'Admin of Lagos Cold Stores'])
  await page.getByRole('searchbox').fill('zain')
  await page.waitForURL('**search=zain**')
  await expect.poll(() => names.allTextContents()).toEqual(['Zainab Bello'])
  await page.reload()
  await expect.poll(() => names.allTextContents()).toEqual(['Zainab Bello'])
  await page.getByRole('searchbox').fill('nobody like this')
  await page.getByText('no results found').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()

  await page.getByRole('button', { name: 'Actions for Ben Otieno' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Benjamin Otieno')
  await page.keyboard.press('Control+Enter')
  await page.getByText('User edited').waitFor()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('users.csv')
  const lines = (await readFile(await file.path(), 'utf8'))
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  expect(lines[0]).toBe('name,email,user rights')
  expect(lines).toHaveLength(4)
  expect(lines.some((line) => line.startsWith('"Benjamin Otieno",'))).toBe(true)

  await page.getByRole('button', { name: 'Actions for Benjamin Otieno' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Benjamin Otieno?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: /Benjamin/ }).waitFor()
  await page.getByRole('button', { name: 'Actions for Benjamin Otieno' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('User deleted').waitFor()
  await page.getByRole('row', { name: /Benjamin/ }).waitFor({ state: 'detached' })

  // Nobody is offered to remove themselves.
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  expect(stage.faults).toEqual([])
})

test('the language is switched before and after the login, and follows the person', async () => {
  const { page } = await admin(stage)
  await page.goto('/dashboard')
  const guest = await stage.page()
  await guest.goto('/login')
  await guest.getByLabel('Language').selectOption('sw')
  await guest.getByRole('heading', { name: 'Ingia' }).waitFor()
  expect(await guest.evaluate(() => document.documentElement.lang)).toBe('sw')
  await guest.reload()
  await guest.getByRole('heading', { name: 'Ingia' }).waitFor()
  await page.getByRole('button', { name: /account and settings/ }).click()
  // The page speaks the language first and then saves it; a reload would cut that off.
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('menuitem', { name: 'Français' }).click()
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  const profile = await page.request.get('/app/api/v1/auth/profile', { headers: await authorization(page) })
  const answer = (await profile.json()) as { payload: { user: { locale: string } } }
  expect(answer.payload.user.locale).toBe('fr')
  // Chosen on another device: spoken here at the next load.
  const body = { locale: 'es' }
  const changed = await page.request.patch('/app/api/v1/auth/user/profile', {
    headers: await authorization(page),
    data: body,
  })
  expect(changed.status()).toBe(200)
  await page.reload()
  await page.getByRole('heading', { name: 'Panel', exact: true }).waitFor({ timeout: 60_000 })
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es')
})

test('an address no browser should have sent, and a link that is over, end at pages of the app', async () => {
  const page = await stage.page()
  await page.goto('/%')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor({ timeout: 60_000 })
  expect(new URL(page.url()).pathname).toBe('/404')
  // Nor is a link to a report's file that is over: it says so.
  await page.goto(`/app/api/v1/report-files/${'x'.repeat(43)}`)
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor({ timeout: 60_000 })
})

test('leaving a form with something unsaved asks; saving says so, and the profile keeps it', async () => {
  const { page } = await admin(stage)
  await page.goto('/settings/profile')
  await page.getByLabel('Full name').fill('Amina Bello')
  await page.getByRole('link', { name: 'Users' }).first().click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click()
  expect(await page.getByLabel('Full name').inputValue()).toBe('Amina Bello')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByRole('button', { name: 'Amina Bello: account and settings' }).waitFor()
  await page.getByRole('link', { name: 'Users' }).first().click()
  await page.waitForURL('**/users/all-users')
})

test('Ctrl K jumps to a screen', async () => {
  const { page } = await admin(stage)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a screen or a device').fill('permis')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/users/permissions')
})

test('a lost connection shows as stale, and heals by itself', async () => {
  const { page } = await admin(stage)
  await page.goto('/settings/profile')
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('The connection is lost.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('The connection is lost.').waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
})

test.each([
  [1366, 800],
  [390, 844],
])(
  'nothing moves at %i px as the connection is lost and comes back, and its notice covers nothing',
  async (width, height) => {
    const { page } = await admin(stage)
    await page.setViewportSize({ width, height })
    await page.goto('/settings/profile')
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    await page.getByLabel('Phone').first().waitFor()
    const places = () =>
      page.locator('main :not(svg *), header :is(h1, button, a)').evaluateAll((all) =>
        all.map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect()
          return [each.tagName, x, y, width, height].join(' ')
        }),
      )
    // Parts of a page come after it: what follows is about a page that has come to rest.
    let before = await places()
    let restingFor = 0
    await expect
      .poll(
        async () => {
          const last = before
          before = await places()
          restingFor = before.join() === last.join() ? restingFor + 1 : 0
          return restingFor
        },
        { interval: 500 },
      )
      .toBeGreaterThan(4)
    await page.context().setOffline(true)
    const notice = page.getByRole('alert').filter({ hasText: 'The connection is lost.' })
    await notice.waitFor()
    expect(await places()).toEqual(before)
    const covered = await notice.evaluate((own) => {
      const box = own.getBoundingClientRect()
      return [...document.querySelectorAll('a, button, input, main')]
        .map((each) => ({ name: each.outerHTML.slice(0, 80), at: each.getBoundingClientRect() }))
        .filter(({ at }) => at.left < box.right && at.right > box.left && at.top < box.bottom && at.bottom > box.top)
        .filter(({ at }) => at.width > 0)
        .map(({ name }) => name)
    })
    expect(covered).toEqual([])
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/connection-${width}.png` })
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'detached', timeout: 60_000 })
    expect(await places()).toEqual(before)
  },
)

test('a screen whose code does not arrive says chunk load error, and can be tried again', async () => {
  const { page } = await admin(stage)
  await page.route('**/assets/chart-settings-page-*.js', (route) => route.abort())
  await page.goto('/settings/chart-settings')
  await page.getByRole('heading', { name: 'chunk load error' }).waitFor()
  await page.unroute('**/assets/chart-settings-page-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('radio', { name: /Single axis/ }).waitFor()
})

test('chart settings and business profile are an Admin’s to change, and everybody’s to read', async () => {
  const { page } = await admin(stage)
  await page.goto('/settings/chart-settings')
  await page.getByRole('radio', { name: /Multi axis/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Chart settings saved').waitFor()
  await page.goto('/settings/businessprofile')
  await page.getByLabel('Phone').fill('+234 801 234')
  await page.getByLabel('Website').fill('cold.example')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('Business profile saved').waitFor()
  await page.getByLabel('Exporter code').fill('ZA-77')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('This is needed.').first().waitFor()

  const staff = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Kofi Mensah', role: 'staff' }))
  await staff.goto('/settings/chart-settings')
  await staff.getByRole('radio', { name: /Multi axis/ }).waitFor()
  expect(await staff.getByRole('radio', { name: /Multi axis/ }).isChecked()).toBe(true)
  expect(await staff.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await staff.goto('/settings/businessprofile')
  await staff.getByText('Only an Admin can change this.').waitFor()
  expect(await staff.getByLabel('Website').inputValue()).toBe('https://cold.example')
  expect(await staff.getByLabel('Website').isEditable()).toBe(false)
})

test('over plain http on a LAN, without what browsers reserve for secure pages, it works and is live', async () => {
  const { email } = await admin(stage)
  const browser = await launchBrowser({}, '--host-resolver-rules=MAP isotherm.lan 127.0.0.1')
  try {
    const page = await browser.newPage({ locale: 'en-GB' })
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const { port } = new URL(stage.base)
    await page.goto(`http://isotherm.lan:${port}/settings/profile`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await page.getByLabel('Mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
})
