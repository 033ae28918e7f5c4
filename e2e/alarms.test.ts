import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foundCompany, logIn, measure, stockUp, taken } from './devices-company.ts'
import { loggedIn, teamMember } from './people.ts'
import { pusher } from './pusher.ts'
import { openStage, type Stage } from './stage.ts'

const imei = '490154203237518'
const admin = 'admin@alarms.test'
const stranger = 'admin@other-alarms.test'
const start = Date.now()

let stage: Stage
let page: Page
let headers: Record<string, string>
let send: (temperatureC: number) => Promise<unknown>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' }, { notifications: true })
  page = await stage.page()
  const { key, secrets } = await stockUp(stage, [imei])
  await foundCompany(stage, page.request, 'Alarms Ltd', admin)
  headers = await logIn(page, admin)
  const data = { imei, licenceKey: key, name: 'Van 3', intervalS: 180 }
  await taken(page.request.post('/app/api/v1/devices/setup', { headers, data }))
  let sent = 0
  send = (temperatureC) => {
    sent += 1
    const at = new Date(Math.max(Date.now(), start + sent)).toISOString()
    return measure(page, imei, secrets.get(imei) ?? '', { temperatureC, at })
  }
  await send(5)
})
afterAll(() => stage?.close())

test('an empty list offers the first alarm', async () => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Alarms', exact: true }).click()
  await page.waitForURL('**/alarms/triggered-alarms')
  await page.getByText('No alarm waits for anybody').waitFor()
  await page.getByRole('link', { name: 'All alarms' }).click()
  await page.getByText('No alarms yet').waitFor()
  await page.getByRole('link', { name: 'Add alarm' }).first().click()
  await page.waitForURL('**/alarms/add-alarm-page')
})

test('whoever makes an alarm is its first recipient, also where the page is opened by its address', async () => {
  await page.reload()
  await page.locator('main').getByText('Admin of Alarms Ltd').waitFor()
})

test('a form that says nothing to watch is pointed out at its field', async () => {
  await page.getByRole('button', { name: 'Create alarm' }).click()
  await page.locator('[data-path=deviceIds][aria-invalid=true]').waitFor()
})

test('three questions make an alarm, with what it would have done beside them', async () => {
  await page.getByRole('combobox', { name: 'Devices' }).click()
  await page.getByRole('option', { name: 'Van 3' }).click()
  await page.getByRole('list', { name: 'Chosen' }).getByText('Van 3').waitFor()
  await page.getByLabel('For at least (min)').fill('0')
  // Key by key, as people do, in place of the marked number.
  const above = page.locator('[data-path="rule.temperatureMaxC"]')
  await above.press('ControlOrMeta+a')
  await above.pressSequentially('-18')
  expect(await above.inputValue()).toMatch(/^-18\s°C$/)
  await above.press('ControlOrMeta+a')
  await above.pressSequentially('8')
  await page.getByText('Too little history: the device has less than a day of readings').waitFor()
  await page.getByText('Critical', { exact: true }).click()
  await page.getByRole('button', { name: 'Create alarm' }).click()
  await page.getByText('Alarm created').waitFor()
  await page.waitForURL('**/alarms/*/details')
  await page.getByRole('heading', { name: 'Temperature above 8.0 °C', level: 1 }).waitFor()
})

test('a reading outside appears by itself, and is acknowledged from its row', async () => {
  await page.goto('/alarms/triggered-alarms')
  await page.getByText('No alarm waits for anybody').waitFor()
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }))
  await send(9.4)
  const row = page.getByRole('listitem').filter({ hasText: /Van 3 above 8\.0\s°C/ })
  await row.getByText('Open', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Alarm acknowledged').waitFor()
  await row.getByText('Acknowledged by Admin of Alarms Ltd').waitFor()
})

test('a comment is seen at once where the alarm is open elsewhere, and who acknowledged looks after it', async () => {
  await page
    .getByRole('listitem')
    .filter({ hasText: /Van 3 above 8\.0\s°C/ })
    .getByText(/Van 3 above/)
    .click()
  await page.waitForURL(/trigger=\d+/)
  const elsewhere = await stage.page()
  await logIn(elsewhere, admin)
  await elsewhere.goto(page.url())
  const [here, there] = [page, elsewhere].map((each) => each.getByRole('complementary', { name: 'Triggered alarm' }))
  await there?.getByText('Looked after by Admin of Alarms Ltd').waitFor()
  await here?.getByLabel('Add a comment').fill('On my way <b>now</b>')
  await here?.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('Comment added').waitFor()
  await there?.getByText('On my way <b>now</b>').waitFor()
  await here
    ?.getByRole('button', { name: 'Assign …' })
    .or(here.getByRole('button', { name: 'Change' }))
    .click()
  const dialog = page.getByRole('dialog', { name: 'Who looks after it?' })
  await dialog.getByRole('combobox', { name: 'Person' }).click()
  await page.getByRole('option', { name: 'Nobody' }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await there?.getByText('Nobody looks after it yet').waitFor()
  await there?.getByRole('button', { name: 'Take it' }).click()
  await here?.getByText('Looked after by Admin of Alarms Ltd').waitFor()
  await elsewhere.close()
  await here?.getByRole('button', { name: 'Close' }).click()
})

test('back to normal is seen as it happens; it is resolved with a note that stays on record', async () => {
  await send(5)
  await page.getByText('No alarm waits for anybody').waitFor()
  await page.getByRole('button', { name: /^Back to normal/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: /Van 3 above 8\.0\s°C/ })
  await row.getByText('Back to normal', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Resolve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve the alarm' })
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await dialog.locator('[data-path=note][aria-invalid=true]').waitFor()
  await dialog.getByLabel('What was found and done').fill('The door stood open <b>for a while</b>')
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('Alarm resolved').waitFor()
  await page.getByText('No alarm waits for anybody').or(page.getByText('no results found')).first().waitFor()
  await page.getByRole('button', { name: /^Resolved/ }).click()
  await row.getByText(/Van 3 above/).click()
  await page.waitForURL(/trigger=\d+/)
  const panel = page.getByRole('complementary', { name: 'Triggered alarm' })
  await panel.getByText('The door stood open <b>for a while</b>').waitFor()
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true)
})

test('a snoozed alarm says until when; unsnoozing arms it again', async () => {
  await page.goto('/alarms/list')
  await page.getByRole('button', { name: /Actions for Temperature above/ }).click()
  await page.getByRole('menuitem', { name: 'Snooze' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
  await page.getByText('Alarm snoozed', { exact: true }).waitFor()
  await page
    .getByRole('row')
    .getByText(/Snoozed until/)
    .waitFor()
  await page.getByRole('button', { name: /Actions for Temperature above/ }).click()
  await page.getByRole('menuitem', { name: 'Unsnooze' }).click()
  await page.getByText('Alarm unsnoozed', { exact: true }).waitFor()
  await page.getByRole('row').getByText('Armed', { exact: true }).waitFor()
})

test('an edit keeps what was not touched', async () => {
  await page.getByRole('button', { name: /Actions for Temperature above/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.waitForURL('**/settings')
  await page.getByLabel('Name', { exact: true }).fill('Van 3 too warm')
  await page.getByRole('button', { name: 'Save alarm' }).click()
  await page.getByText('Alarm edited').waitFor()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('heading', { name: 'Van 3 too warm', level: 1 }).waitFor()
  await page.getByText(/^Temperature above 8\.0\s°C$/).waitFor()
})

test('a rota says who is on call, an alarm tells it, and its deletion names what that silences', async () => {
  await page.goto('/alarms/on-call')
  await page.getByRole('button', { name: 'Add rota' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add rota' })
  await form.getByRole('button', { name: 'Create rota' }).click()
  await form.locator('[data-path=name][aria-invalid=true]').waitFor()
  await form.getByLabel('Name').fill('Nights')
  await form.getByRole('combobox', { name: 'Add a person' }).click()
  await page.getByRole('option', { name: 'Admin of Alarms Ltd' }).click()
  await form.getByRole('button', { name: 'Create rota' }).click()
  await page.getByText('Rota added').waitFor()
  const rota = page.getByRole('region', { name: 'Nights' })
  await rota.getByText('On call now').waitFor()
  await page.goto('/alarms/list')
  await page.getByRole('row', { name: /Van 3 too warm/ }).click()
  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Admin of Alarms Ltd' }).click()
  await page.getByRole('combobox', { name: 'Add a person or a rota' }).click()
  await page.getByRole('option', { name: 'On-call rota Nights' }).click()
  await page.getByRole('button', { name: 'Save alarm' }).click()
  await page.getByText('Alarm edited').waitFor()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByText('on call now: Admin of Alarms Ltd').waitFor()
  await page.goto('/alarms/on-call')
  await rota.getByRole('button', { name: 'Actions for Nights' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the rota Nights?' })
  await dialog.getByText('Nobody would hear of the alarm Van 3 too warm any more.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a hand-over note stands above the alarms of others until one of them has read it', async () => {
  const theirs = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Mona', role: 'manager' }))
  await page.getByLabel('A note for the next on call').fill('Watch the van')
  await page.getByRole('button', { name: 'Leave the note' }).click()
  await page.getByText('Note left').waitFor()
  await theirs.goto('/alarms/triggered-alarms')
  const note = theirs.getByRole('complementary', { name: 'Hand-over note' })
  await note.getByText('Watch the van').waitFor()
  await note.getByRole('button', { name: 'I have read it' }).click()
  await note.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText(/Read by Mona/).waitFor()
})

test('Staff see alarms but nothing to edit; another company sees neither', async () => {
  await page.goto('/alarms/list')
  await page.getByRole('row', { name: /Van 3 too warm/ }).click()
  await page.waitForURL('**/details')
  const alarm = new URL(page.url()).pathname
  const theirs = await loggedIn(stage, await teamMember(stage, page, { fullname: 'Sam', role: 'staff' }))
  await theirs.goto('/alarms/list')
  await theirs.getByRole('row', { name: /Van 3 too warm/ }).waitFor()
  for (const name of ['Add alarm', 'Snooze all', 'Export CSV'])
    expect(await theirs.getByText(name, { exact: true }).count()).toBe(0)
  expect(await theirs.getByRole('button', { name: /Actions for/ }).count()).toBe(0)
  await theirs.goto('/alarms/add-alarm-page')
  await theirs.waitForURL('**/404')
  await theirs.goto(alarm.replace('details', 'settings'))
  await theirs.waitForURL('**/404')
  const other = await stage.page()
  await foundCompany(stage, other.request, 'Other Ltd', stranger)
  await logIn(other, stranger)
  await other.goto('/alarms/list')
  await other.getByText('No alarms yet').waitFor()
  await other.goto(alarm)
  await other.waitForURL('**/404')
})

test('deleting says what stays, and the alarm is gone', async () => {
  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the alarm' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Van 3 too warm?' })
  await dialog.getByText('What it has fired so far stays on record.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Alarm deleted').waitFor()
  await page.waitForURL('**/alarms/list')
  await page.getByText('No alarms yet').waitFor()
})

test('a script in every name is shown as the text it is, wherever names are shown', async () => {
  const name = '<script>document.title = 1</script><img src=x onerror="document.title = 2">'
  const post = (path: string, data: object) => page.request.post(`/app/api/v1${path}`, { headers, data })
  const api = async (path: string) =>
    (await (await taken(page.request.get(`/app/api/v1${path}`, { headers }))).json()).payload
  const [{ id }] = (await api('/devices')).data
  await taken(page.request.patch(`/app/api/v1/devices/${id}`, { headers, data: { name } }))
  const me = (await api('/auth/profile')).user.id
  const recipients = [{ userId: me, channels: ['app'] }]
  const rule = { kind: 'value', temperatureMaxC: 8 }
  const made = await post('/alarms', { name, severity: 'critical', deviceIds: [id], recipients, rule })
  expect(made.status()).toBe(200)
  await send(9.6)
  for (const path of ['/alarms/list', '/alarms/triggered-alarms', '/dashboard', '/logs', '/devices/device-overview']) {
    await page.goto(path)
    await page.getByText(name).first().waitFor({ timeout: 60_000 })
    expect(await page.locator('main script, main img[src=x]').count()).toBe(0)
  }
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const centre = page.getByRole('dialog')
  await centre.getByText(name).first().waitFor({ timeout: 60_000 })
  await centre.getByRole('combobox', { name: 'Device' }).click()
  const filtered = page.waitForResponse((answer) => answer.url().includes(`device=${id}`), { timeout: 60_000 })
  await page.getByRole('option', { name }).click()
  expect((await filtered).status()).toBe(200)
  await centre.getByRole('listitem').filter({ hasText: name }).first().waitFor({ timeout: 60_000 })
  expect(await page.title()).not.toMatch(/^\d$/)
})

test('on a phone the link of a message leads to a button as large as a thumb, and where it is', async () => {
  await send(5)
  await send(9.7)
  const open = await page.request.get('/app/api/v1/alarm-triggers?states=open', { headers })
  const [{ id }] = (await open.json()).payload.data
  const before = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  try {
    await page.goto(`/alarms/triggered-alarms?trigger=${id}`)
    const button = page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' })
    await button.waitFor({ timeout: 60_000 })
    const isAtHand = async () => {
      const box = await button.boundingBox()
      return box !== null && box.height >= 44 && box.y > 700 && box.y + box.height <= 844
    }
    await expect.poll(isAtHand, { timeout: 60_000 }).toBe(true)
    await button.click()
    await page.getByText('Alarm acknowledged').waitFor({ timeout: 60_000 })
  } finally {
    if (before) await page.setViewportSize(before)
  }
}, 130_000)

test('from a notification, and from a mail, it is three taps at most to acknowledged', async () => {
  const post = async (path: string, data: object) =>
    (await (await taken(page.request.post(`/app/api/v1${path}`, { headers, data }))).json()).payload
  const api = async (path: string) =>
    (await (await taken(page.request.get(`/app/api/v1${path}`, { headers }))).json()).payload
  const [{ id: device }] = (await api('/devices')).data
  const me = (await api('/auth/profile')).user.id
  const recipients = [{ userId: me, channels: ['app', 'mail'] }]
  const rule = { kind: 'value', temperatureMaxC: 9 }
  const alarm = await post('/alarms', { name: 'Far too warm', deviceIds: [device], recipients, rule })
  const fired = async () => (await api(`/alarm-triggers?states=open,acknowledged&alarm=${alarm.id}`)).data[0]
  const fire = async () => {
    await send(5)
    await send(9.9)
    await expect.poll(async () => (await fired())?.state, { timeout: 60_000 }).toBe('open')
  }
  const phone = await stage.page({
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    serviceWorkers: 'allow',
  })
  let taps = 0
  const tap = async (what: Locator) => {
    await what.waitFor()
    expect((await what.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await what.tap()
    taps += 1
  }
  /** The tap on the message itself, outside the app. */
  const tapMessage = async (url: string) => {
    taps = 1
    await phone.goto(url)
  }

  // The mail's link needs no login: nobody has logged in on this phone.
  const before = await stage.mailedLink(admin, 'acknowledge')
  await fire()
  const mailed = () => stage.mailedLink(admin, 'acknowledge')
  await expect.poll(mailed, { timeout: 60_000 }).not.toBe(before)
  await tapMessage(await mailed())
  await tap(phone.getByRole('button', { name: 'Acknowledge' }))
  await phone.getByRole('heading', { name: 'Acknowledged' }).waitFor()
  expect((await fired()).state).toBe('acknowledged')
  expect(taps).toBeLessThanOrEqual(3)

  await fire()
  await logIn(phone, admin)
  await phone.context().grantPermissions(['notifications'])
  await phone.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js')
    await navigator.serviceWorker.ready
  })
  const push = await pusher(stage, phone)
  const url = `/alarms/triggered-alarms?trigger=${(await fired()).id}`
  // The browser opens a window for a real tap only: it is told which one it would open.
  const opened = async () => {
    await push({ title: 'CRITICAL', body: '9.9 °C', url, tag: 'trigger', lang: 'en' })
    return phone.evaluate(async () => {
      const [shown] = await (await navigator.serviceWorker.ready).getNotifications()
      return (shown?.data as { url: string } | undefined)?.url
    })
  }
  await expect.poll(opened, { timeout: 60_000, interval: 2_000 }).toBe(new URL(url, stage.base).href)
  await tapMessage(url)
  await tap(phone.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }))
  await phone.getByText('Alarm acknowledged').waitFor()
  await expect.poll(async () => (await fired()).state).toBe('acknowledged')
  expect(taps).toBeLessThanOrEqual(3)
  await phone.context().close()
}, 130_000)

test('an alarm that watches a group has the chart of the device it fired for', async () => {
  const post = async (path: string, data: object) =>
    (await (await taken(page.request.post(`/app/api/v1${path}`, { headers, data }))).json()).payload
  const api = async (path: string) =>
    (await (await taken(page.request.get(`/app/api/v1${path}`, { headers }))).json()).payload
  const [{ id: device, name }] = (await api('/devices')).data
  const me = (await api('/auth/profile')).user.id
  const group = await post('/groups', { name: `Vans ${Date.now()}`, deviceIds: [device] })
  const recipients = [{ userId: me, channels: ['app'] }]
  const rule = { kind: 'value', temperatureMaxC: 8 }
  const { id } = await post('/alarms', { name: 'Vans too warm', groupIds: [group.id], recipients, rule })
  await send(5)
  await send(9.8)
  await page.goto(`/alarms/${id}/details`)
  const chart = page.getByRole('region', { name: 'Triggers on the chart' })
  await expect.poll(() => chart.getByRole('combobox').inputValue(), { timeout: 60_000 }).toBe(name)
}, 130_000)

test('nothing went wrong in the browser meanwhile', () => {
  expect(stage.faults).toEqual([])
})
