import { join } from 'node:path'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changing } from '../server/test/changed.ts'
import { anOrderWarning } from '../server/test/order-factory.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'
import { textsOf } from './texts.ts'

const shots = process.env.SHOTS
const api = '/app/api/v1'
const email = 'admin@warnings.test'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

let stage: Stage
let page: Page
let headers: Record<string, string>
let orderIds: string[]

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page(phone)
  await foundCompany(stage, page.request, 'Warnings Ltd', email)
  headers = await logIn(page, email)
  orderIds = await lateOrders()
  const me = (await (await page.request.get(`${api}/users`, { headers })).json()).payload.data[0]
  const rota = { name: 'Nights', people: [me.id], weekday: 1, time: '08:00', startsOn: '2026-01-05' }
  const made = await page.request.post(`${api}/on-call/rotas`, { headers, data: rota })
  expect(made.ok(), await made.text()).toBe(true)
})
afterAll(() => stage?.close())

/** Two orders under way that will be late and were escalated, as the jobs would have left them. */
async function lateOrders(): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: 2 })
  try {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('set local role pipeline')
    const found = await client.query(`select company_id from companies where name = 'Warnings Ltd'`)
    await client.query('rollback')
    client.release()
    const companyId: number = found.rows[0].company_id
    for (let n = 0; n < 2; n++) await anOrderWarning({ pool, clock: { now: () => new Date() } }, { companyId })
    return await changing(pool, companyId, async ({ client }) =>
      (await client.query('update order_warnings set escalated_at = now() returning order_id')).rows.map(
        ({ order_id }) => order_id,
      ),
    )
  } finally {
    await pool.end()
  }
}

async function shoot(name: string, dark = false) {
  if (!shots) return
  const before = page.viewportSize()
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    await page.screenshot({ path: join(shots, `${name}-${width}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
}

const acknowledged = async (orderId: string) =>
  (await (await page.request.get(`${api}/dispatch/orders/${orderId}/warnings`, { headers })).json()).payload[0]

test('somebody acknowledges a warning with a note on a phone, with one call for two clicks', async () => {
  const say = await textsOf('en', ['orderLife'])
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') calls.push(request.postData() ?? '')
  })
  await page.goto('/dispatch/overview')
  const panel = page.getByRole('region', { name: say('orderLife:warnings.openTitle') })
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(2)
  await expect.poll(() => panel.getByText(say('orderLife:warnings.escalatedAt').split(':')[1] ?? '').count()).toBe(2)
  await panel.getByRole('button').first().tap()
  const dialog = page.getByRole('dialog')
  const note = dialog.getByLabel(say('orderLife:warnings.note'))
  await expect.poll(() => note.evaluate((field) => field === document.activeElement)).toBe(true)
  await note.fill('Called the driver, there at 3')
  expect(await axeFaults(page)).toEqual([])
  await shoot('overview')
  await shoot('overview-dark', true)
  await dialog.getByRole('button', { name: say('orderLife:warnings.acknowledge') }).dblclick()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => panel.getByRole('listitem').count()).toBe(1)
  expect(calls).toEqual([JSON.stringify({ note: 'Called the driver, there at 3' })])
})

test('the keys alone do it on the page of the order; the note is read there', async () => {
  const say = await textsOf('en', ['orderLife'])
  const open: string[] = []
  for (const id of orderIds) if ((await acknowledged(id)).state === 'open') open.push(id)
  await page.goto(`/dispatch/order/${open[0]}`)
  const panel = page.getByRole('region', { name: say('orderLife:warnings.title') })
  await panel.getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  const note = page.getByRole('dialog').getByLabel(say('orderLife:warnings.note'))
  await expect.poll(() => note.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => acknowledged(open[0] ?? '')).toMatchObject({ state: 'acknowledged', note: null })
  const other = orderIds.find((id) => id !== open[0])
  await page.goto(`/dispatch/order/${other}`)
  await panel.getByText('Called the driver, there at 3').waitFor()
  await shoot('order')
})

test('a company says how often warnings are told again; an empty field is never', async () => {
  const say = await textsOf('en', ['orders', 'common'])
  const field = page.getByRole('dialog').getByLabel(say('orders:settings.reminderMinutes'))
  const open = async () => {
    await page.goto('/dispatch/overview')
    await page.getByRole('button', { name: say('orders:actions.settings'), exact: true }).click()
    await field.scrollIntoViewIfNeeded()
  }
  const save = async () => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('common:actions.save') })
      .click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await open()
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill('30')
  expect(await axeFaults(page)).toEqual([])
  await shoot('settings')
  await save()
  await open()
  await expect.poll(() => field.inputValue()).toBe('30')
  await field.fill('')
  await save()
  const settings = await page.request.get(`${api}/dispatch/settings`, { headers })
  expect((await settings.json()).payload).toMatchObject({ reminderMinutes: null, version: 2 })
  expect(stage.faults).toEqual([])
})

test('a company chooses a rota as second recipient, and sees who is on call', async () => {
  const say = await textsOf('en', ['orders', 'errors', 'common'])
  await page.goto('/dispatch/overview')
  await page.getByRole('button', { name: say('orders:actions.settings'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('orders:settings.escalateMinutes')).fill('20')
  await dialog.getByRole('button', { name: say('common:actions.save') }).click()
  await dialog.getByText(say('errors:fields.rule.escalationWhole')).waitFor()
  const list = dialog.getByRole('group', { name: say('orders:settings.tellSecond.late') })
  await list.getByRole('combobox').click()
  await page.getByRole('option', { name: say('orders:settings.rotaNamed', { name: 'Nights' }) }).click()
  await list.getByRole('checkbox').first().scrollIntoViewIfNeeded()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: say('common:actions.save') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: say('orders:actions.settings'), exact: true }).click()
  await list.getByText(say('orders:settings.onCallNow', { name: 'Admin of Warnings Ltd' })).scrollIntoViewIfNeeded()
  await shoot('escalation')
  await shoot('escalation-dark', true)
  const settings = await page.request.get(`${api}/dispatch/settings`, { headers })
  expect((await settings.json()).payload).toMatchObject({
    escalateMinutes: 20,
    escalation: { late: [{ name: 'Nights' }] },
  })
  expect(stage.faults).toEqual([])
})
