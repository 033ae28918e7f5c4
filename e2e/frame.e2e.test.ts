import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, stockUp } from './devices-company.ts'
import { authorization } from './people.ts'
import { goOn } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

const imeis = ['490154203237518', '356938035643809']
const email = 'admin@keyboard.test'
const keysPerSecond = 30

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Keyboard Ltd', email)
  const headers = await logIn(page, email)
  const make = async (path: string, data: object) => {
    const answer = await page.request.post(`/app/api/v1/${path}`, { headers, data })
    if (!answer.ok()) throw new Error(await answer.text())
    return ((await answer.json()) as { payload: { id: string } }).payload
  }
  const devices = await Promise.all(
    ['Korle Bu hospital fridge', 'Van 3'].map((name, index) =>
      make('devices/setup', { imei: imeis[index], licenceKey: key, name, intervalS: 180 }),
    ),
  )
  const rule = { kind: 'value', temperatureMaxC: 8 }
  const recipients = [{ email: 'watch@keyboard.test' }]
  await make('alarms', {
    name: 'Too warm',
    severity: 'critical',
    rule,
    deviceIds: devices.map(({ id }) => id),
    recipients,
  })
  for (const imei of imeis) await measure(page, imei, secrets.get(imei) ?? '', { temperatureC: 9.4 })
})
afterAll(() => stage?.close())

const box = () => page.getByRole('combobox', { name: 'Go to a screen or a device' })
const write = (text: string) => page.keyboard.type(text, { delay: 1000 / keysPerSecond })

test('the palette loses no letter of what is typed at once, and Enter waits for the answer', async () => {
  await page.goto('/logs')
  await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
  const text = 'korle bu hospital fridge'
  await page.keyboard.press('Control+k')
  await write(text)
  expect(await box().inputValue()).toBe(text)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/devices/*/details')
  await page.getByRole('heading', { name: 'Korle Bu hospital fridge', level: 1 }).waitFor()
  // The second time it is empty, and stands where it stood.
  await page.keyboard.press('Control+k')
  expect(await box().inputValue()).toBe('')
  const top = () => box().evaluate((field) => field.getBoundingClientRect().top)
  const before = await top()
  await write('van')
  await page.getByRole('option', { name: 'Van 3' }).waitFor()
  expect(await top()).toBe(before)
  await page.keyboard.press('Escape')
  await box().waitFor({ state: 'detached' })
})

test('the palette is asked for again in the moment in which something was chosen', async () => {
  for (const screen of ['logs', 'alarms', 'groups']) {
    await page.keyboard.press('Control+k')
    await write(screen)
    await page.locator('[role=listbox][aria-busy=false] [role=option]').first().waitFor()
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter', 'Control+k']) await page.keyboard.press(key)
    await write('van')
    expect(await box().inputValue()).toBe('van')
    // Escape and the next palette in one moment, too.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    expect(await box().inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
  }
})

test('the palette begins things and finds alarms and people', async () => {
  await page.keyboard.press('Control+k')
  await write('setup')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/devices/setupdevice/new')
  await page.keyboard.press('Control+k')
  await write('add user')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Add User' }).waitFor()
  // Above a dialog: Escape closes what was opened last.
  await page.keyboard.press('Control+k')
  await write('too')
  await page.getByRole('option', { name: 'Too warm' }).waitFor()
  await page.keyboard.press('Escape')
  await box().waitFor({ state: 'detached' })
  await page.getByRole('dialog', { name: 'Add User' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Add User' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await write('admin of key')
  await page.getByRole('group', { name: 'People' }).getByRole('option').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/users/all-users?search=**')
})

test('from a fresh dashboard six keys reach the first Acknowledge, and two keys acknowledge', async () => {
  await page.goto('/dashboard')
  const acknowledge = page.getByRole('button', { name: 'Acknowledge' })
  await acknowledge.nth(1).waitFor()
  const keys = ['Tab', 'Tab', 'Enter', 'Tab', 'Tab']
  for (const key of keys) await page.keyboard.press(key)
  expect(keys.length).toBeLessThanOrEqual(6)
  expect(await acknowledge.first().evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByText('Alarm acknowledged').first().waitFor()
  await expect.poll(() => acknowledge.count()).toBe(1)
})

test('a button that is gone with what it did leaves the focus in its row', async () => {
  await page.goto('/alarms/triggered-alarms')
  const acknowledge = page.getByRole('button', { name: /^Acknowledge: / })
  // Until the list is loaded the last known one shows: with the alarm of the test before.
  await expect.poll(() => acknowledge.count()).toBe(1)
  await acknowledge.press('Enter')
  await page.getByText('Alarm acknowledged').first().waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Resolve: /)
})

test('in high contrast the colours of the system tell what is chosen and what has the focus', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/devices/device-overview')
  const styleOf = (name: string, property: string) =>
    page
      .locator(name)
      .first()
      .evaluate((element, read) => getComputedStyle(element).getPropertyValue(read), property)
  await page.locator('[aria-pressed=true]').first().waitFor()
  const grounds = ['[aria-pressed=true]', '[aria-pressed=false]'].map((name) => styleOf(name, 'background-color'))
  const [on, off] = await Promise.all(grounds)
  expect(on).not.toBe(off)
  await page.getByRole('searchbox').first().focus()
  expect(await styleOf('input:focus', 'outline-style')).toBe('solid')
  await page.emulateMedia({ forcedColors: 'none' })
})

test('on paper stands neither the link to skip with nor the navigation', async () => {
  await page.goto('/devices/device-overview')
  const skip = page.getByRole('link', { name: 'Skip to the content', includeHidden: true })
  await skip.waitFor({ state: 'attached' })
  expect(await skip.evaluate((link) => link.checkVisibility())).toBe(true)
  await page.emulateMedia({ media: 'print' })
  const isPrinted = await skip.evaluate((link) => link.checkVisibility())
  await page.emulateMedia({ media: 'screen' })
  expect(isPrinted).toBe(false)
})

test('letters move in lists, go to screens and explain themselves, but not while somebody types', async () => {
  await page.goto('/devices/device-overview')
  await page.getByRole('row', { name: /Van 3/ }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  const first = await page.locator('tbody tr').first().getByRole('button').first().textContent()
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).textContent)).toBe(first)
  await page.keyboard.press('/')
  await write('jeg?k')
  expect(await page.getByRole('searchbox').inputValue()).toBe('jeg?k')
  await page.keyboard.press('Tab')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Acknowledge the alarm of the row').waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  // The second key follows at once, however busy the machine is.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('l')])
  await page.waitForURL('**/logs')
  // They can be turned off, for those who dictate.
  await page.keyboard.press('?')
  await help.getByLabel('Keys of a single letter').uncheck({ force: true })
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.keyboard.press('?')
  await help.waitFor()
  expect(new URL(page.url()).pathname).toBe('/logs')
  expect(stage.faults).toEqual([])
})

test('a dialog that is closed gives the focus back: to its button, or to that of the menu which opened it', async () => {
  await page.goto('/devices/device-overview')
  const actions = page.getByRole('button', { name: /^Actions for/ }).first()
  await actions.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Pause transmission' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Pause transmission/ })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => actions.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await expect.poll(() => actions.evaluate((button) => button === document.activeElement)).toBe(true)
  // A dialog that leads to another screen leaves it to that: Tab goes on in its content.
  await page.keyboard.press('Control+k')
  await write('logs')
  await page.getByRole('option', { name: 'Logs' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/logs')
  await expect
    .poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)))
    .toBe(true)
})

const screens = ['/dashboard', '/devices/device-overview', '/alarms/list', '/records', '/users/all-users', '/logs']

const phone = { width: 390, height: 844 }

test('search, bell and person stand at the same place on every screen, and no button leaves it', async () => {
  const { id } = await deviceNamed('Korle')
  await page.goto('/dashboard')
  for (const width of [1366, 820, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const places = new Set<string>()
    for (const path of [...screens, `/devices/${id}/details`]) {
      await goOn(page, path)
      await page.locator('main h2, main table, main ul').first().waitFor()
      await page.locator('header [aria-label*="account"]').waitFor()
      places.add(
        await page
          .locator('header')
          .evaluate((bar) =>
            ['Search', 'Notifications', 'account']
              .map((name) => bar.querySelector(`[aria-label*="${name}"]`)?.getBoundingClientRect().x)
              .join(),
          ),
      )
      const beyond = await page.locator('main a, main button').evaluateAll((elements) =>
        elements
          // The tabs of a section and the chips of a filter are moved sideways.
          .filter((each) => !each.closest('nav, fieldset, .maplibregl-map'))
          .filter((each) => each.getBoundingClientRect().right > innerWidth)
          .map(({ textContent }) => textContent),
      )
      expect(beyond, `${path} at ${width}`).toEqual([])
    }
    expect([...places], `at ${width}`).toHaveLength(1)
  }
  // It opens 21 screens.
}, 300_000)

test('the whole name of a device is shown at every width; on a phone pausing it is in its menu', async () => {
  await page.setViewportSize(phone)
  const { id } = await deviceNamed('Van 3')
  const name = 'Van 3, Apapa cold store, chamber 2 behind the bay of the old harbour'
  const renamed = await page.request.patch(`/app/api/v1/devices/${id}`, {
    headers: await authorization(page),
    data: { name },
  })
  expect(renamed.status()).toBe(200)
  await page.goto(`/devices/${id}/details`)
  const heading = page.getByRole('heading', { name, level: 1 })
  await heading.waitFor()
  for (const width of [1366, 820, phone.width]) {
    await page.setViewportSize({ width, height: phone.height })
    const isWhole = () =>
      heading.evaluate((h1) => h1.scrollHeight <= h1.clientHeight + 1 && h1.scrollWidth <= h1.clientWidth)
    await expect.poll(isWhole, { message: `at ${width}` }).toBe(true)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/name-${width}.png` })
  }
  const menu = page.getByRole('button', { name: `Actions for ${name}` })
  const [tabs, button] = [await page.getByRole('link', { name: 'Details' }).boundingBox(), await menu.boundingBox()]
  // Beside the tabs, not on a line of its own.
  expect(button?.y).toBeLessThan((tabs?.y ?? 0) + (tabs?.height ?? 0))
  await menu.click()
  await page.getByRole('menuitem', { name: 'Pause transmission' }).waitFor()
  await page.keyboard.press('Escape')
})

test('what is not there keeps the shell; the place behind “More” is lit', async () => {
  await page.setViewportSize(phone)
  await page.goto('/no/such/screen')
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  const bar = page.getByRole('navigation', { name: 'Main navigation' })
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Logs' }).click()
  await page.waitForURL('**/logs')
  // The address is that of the next screen before the bar says so.
  const lit = () => bar.getByRole('button', { name: 'More' }).getAttribute('data-status')
  await expect.poll(lit).toBe('active')
  await bar.getByRole('link', { name: 'Devices' }).click()
  await page.waitForURL('**/device-overview')
  await expect.poll(lit).toBe(null)
  expect(stage.faults).toEqual([])
})

async function deviceNamed(search: string): Promise<{ id: string }> {
  const headers = await authorization(page)
  const answer = await page.request.get('/app/api/v1/devices', { headers, params: { search } })
  const { payload } = (await answer.json()) as { payload: { data: { id: string }[] } }
  if (!payload.data[0]) throw new Error(`no device ${search}`)
  return payload.data[0]
}

test('a phone has one button for the filters, and the list begins above the middle', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/devices/device-overview')
  const cards = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  await cards.nth(1).waitFor()
  const top = () => cards.first().evaluate((card) => card.getBoundingClientRect().top)
  expect(await top()).toBeLessThan(844 / 2)
  const inRange = page.getByRole('button', { name: /^In range/ })
  expect(await inRange.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await inRange.click()
  await page.getByRole('button', { name: 'Filter (1)' }).click()
  await inRange.waitFor({ state: 'hidden' })
})

test('on a phone the parts of a shipment move to the chosen one, and four actions stand on one line in French', async () => {
  await page.setViewportSize(phone)
  const headers = await authorization(page)
  const make = async (path: string, data: object) => {
    const answer = await page.request.post(`/app/api/v1/export/${path}`, { headers, data })
    return ((await answer.json()) as { payload: { id: string } }).payload.id
  }
  const [originId, destinationId] = [
    await make('origins', { name: 'Pack house', country: 'ZA' }),
    await make('destinations', { name: 'Importer', country: 'NL' }),
  ]
  const legs = [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM' }]
  const id = await make('shipments', { logistics: 'external', product: 'Oranges', originId, destinationId, legs })
  await page.goto(`/export/dispatch/shipment/${id}?tab=links`)
  const part = page.locator('label', { hasText: /^Links$/ })
  await expect.poll(async () => ((await part.boundingBox())?.x ?? phone.width) + 20 < phone.width).toBe(true)
  await page.evaluate(() => localStorage.setItem('isotherm.language', 'fr'))
  await page.goto('/export/dispatch')
  const add = await page.getByRole('button', { name: 'Ajouter une expédition' }).first().boundingBox()
  const upload = await page.getByRole('button', { name: 'Importer un fichier' }).first().boundingBox()
  await page.evaluate(() => localStorage.removeItem('isotherm.language'))
  expect(upload?.y).toBe(add?.y)
})

test('on a phone neither bar covers what the keyboard comes to', async () => {
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/alarms/add-alarm-page')
  await page.getByRole('button', { name: 'Create alarm' }).waitFor()
  const coveredName = () =>
    page.evaluate(() => {
      const at = document.activeElement
      if (!(at instanceof HTMLElement) || !at.closest('main')) return null
      const { top, bottom } = at.getBoundingClientRect()
      const bars = [...document.querySelectorAll('header, nav')].map((bar) => bar.getBoundingClientRect())
      const isCovered = bars.some((bar) => bar.width > 0 && top < bar.bottom - 1 && bottom > bar.top + 1)
      return isCovered ? (at.getAttribute('aria-label') ?? at.id) : null
    })
  const covered: string[] = []
  for (const key of ['Tab', 'Shift+Tab'])
    for (let presses = 0; presses < 35; presses++) {
      await page.keyboard.press(key)
      const name = await coveredName()
      if (name !== null) covered.push(`${key}: ${name}`)
    }
  expect(covered).toEqual([])
  if (usual) await page.setViewportSize(usual)
})

test('toasts stand at the top right, and cover neither the bars nor what was pressed', async () => {
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/settings/profile')
    await page.getByLabel('Full name').fill(`Amina Bello ${width}`)
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    expect(await placeOf('Profile saved'), `at ${width}`).toEqual(corner)
    await page.route('**/auth/user/profile', refuse, { times: 1 })
    await page.getByLabel('Full name').fill(`Amina Bello of ${width}`)
    await save.click()
    expect(await placeOf('Not today.'), `at ${width}`).toEqual(corner)
  }
  expect(stage.faults).toEqual([])
})

test('a toast stands beside a drawer, whose head and buttons stay free', async () => {
  await page.setViewportSize({ width: 1366, height: 844 })
  await page.goto('/records')
  await page.getByRole('button', { name: 'New record' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Night')
  await drawer.getByLabel('Devices').fill('Van')
  await page.getByRole('option', { name: /^Van 3/ }).click()
  await page.route('**/enterprise/record', refuse, { times: 1 })
  await drawer.getByRole('button', { name: 'Make record' }).click()
  expect(await placeOf('Not today.', '[role=dialog] *')).toEqual({ isTop: true, isRight: false, covers: false })
  expect(stage.faults).toEqual([])
})

const corner = { isTop: true, isRight: true, covers: false }
const refuse = (route: Route) =>
  route.fulfill({ status: 400, json: { success: false, code: 'LAST_ADMIN', message: 'Not today.' } })

/** In the moment in which the toast is found: it goes by itself. */
const placeOf = (text: string, free = 'header *, nav *, main button') =>
  page
    .getByRole('listitem')
    .filter({ hasText: text })
    .evaluate((element, selectors) => {
      const own = (element.parentElement ?? element).getBoundingClientRect()
      const covers = [...document.querySelectorAll(selectors)]
        .map((each) => each.getBoundingClientRect())
        .filter((each) => each.width > 0)
        .some(
          (each) => each.left < own.right && each.right > own.left && each.top < own.bottom && each.bottom > own.top,
        )
      return { isTop: own.bottom < innerHeight / 2, isRight: own.right > innerWidth - 40, covers }
    }, free)
