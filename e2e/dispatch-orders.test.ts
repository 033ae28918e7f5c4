import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn } from './devices-company.ts'
import { openStage, type Stage } from './stage.ts'

const admin = 'admin@orders.test'

let stage: Stage
let page: Page
let headers: Record<string, string>

beforeAll(async () => {
  stage = await openStage({ CHECK_ANSWERS: '1' })
  page = await stage.page()
  await foundCompany(stage, page.request, 'Orders Ltd', admin)
  headers = await logIn(page, admin)
  const settings = { currency: 'NGN', baseFee: 100_000, feePerKm: 0, feePerKg: 0, feePerStop: 0, version: 0 }
  const more = {
    preCoolRequired: false,
    ignoreMinutes: 10,
    showsDriverName: false,
    fenceSettles: true,
    freeMinutes: 60,
  }
  const terms = { carriage: 'cmr', noticeDays: 7, lateMail: null }
  const saved = await page.request.put('/app/api/v1/dispatch/settings', {
    headers,
    data: { ...settings, ...more, ...terms },
  })
  expect(saved.status()).toBe(200)
})
afterAll(() => stage?.close())

const section = (name: string) => page.getByRole('region', { name, exact: true })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function find(name: string, town: string) {
  const search = section(name).getByRole('searchbox')
  await search.fill(town)
  await page.getByRole('option', { name: town }).first().click()
}

/** On a phone the price stands at the lower edge, wherever the form is scrolled to. */
async function seesPriceOnPhone() {
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(() => window.scrollTo(0, 0))
  const total = page.getByText('Total, with estimated tax').last()
  const isOnTop = (one: Element) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }
  await expect.poll(() => total.evaluate(isOnTop)).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/price-on-phone.png` })
  expect(await axeFaults(page)).toEqual([])
  if (usual) await page.setViewportSize(usual)
}

test('an order is made by clicking: its price is seen before, and its entries outlive a reload', async () => {
  await page.goto('/dispatch')
  await page.waitForURL(/\/dispatch\/overview/)
  await page.getByRole('button', { name: 'Add dispatch' }).first().click()
  await page.waitForURL(/add-dispatch/)
  await section('Sender').getByLabel('Name').fill('Cold Store')
  await find('Sender', 'Ibadan')
  await section('Receiver 1').getByLabel('Name', { exact: true }).fill('Ada Obi')
  await find('Receiver 1', 'Abeokuta')
  await section('Receiver 1').getByLabel('Item name').fill('Vaccine box')
  await section('Receiver 1').getByLabel('Weight, kg').fill('4.5')
  await section('Receiver 1').getByText('150 words left of 150').waitFor()
  const day = inDays(3)
  // Tomorrow afternoon stands there; a day alone keeps that hour.
  expect(await section('Sender').getByLabel('Delivery date').inputValue()).toMatch(/, 17:00$/)
  await section('Sender').getByLabel('Delivery date').fill(`${day} 14:30`)
  await section('Sender').getByLabel('Delivery date').press('Tab')
  await section('Price summary').getByText('VAT').waitFor()
  await section('Price summary').getByText('Total, with estimated tax').waitFor()
  await page.getByText('no conditions will be known').waitFor()
  await section('Sender').getByText('Africa/Lagos').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await seesPriceOnPhone()

  // All of it: the date was typed last.
  await page.waitForFunction((date) => localStorage.getItem('isotherm.orderDraft')?.includes(date), `${day}T14:30`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('Your last entries were kept.').waitFor()
  await expect.poll(() => section('Receiver 1').getByLabel('Item name').inputValue()).toBe('Vaccine box')

  await section('Receiver 1').getByLabel('Phone').fill('123')
  await page.getByRole('button', { name: 'Create dispatch' }).click()
  await section('Receiver 1').getByText('This phone number is not valid').waitFor()
  await section('Receiver 1').getByLabel('Phone').fill('0803 123 4567')
  await page.getByRole('button', { name: 'Create dispatch' }).click()
  await page.getByText(/Dispatch \S+ created/).waitFor()

  const { payload } = await (await page.request.get('/app/api/v1/dispatch/orders', { headers })).json()
  expect(payload.data).toMatchObject([
    {
      state: 'new',
      receivers: { first: 'Ada Obi', total: 1 },
      total: 107_500,
      currency: 'NGN',
      deliverBy: `${day}T13:30:00.000Z`,
    },
  ])
})

test('an order is found, changed, repeated and kept as a template', async () => {
  await page.goto('/dispatch/overview')
  const row = page.getByRole('row').filter({ hasText: 'Ada Obi' })
  const act = async (name: string) => {
    await row.getByRole('button', { name: /Actions for/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await row.waitFor()
  await act('Keep as a template')
  await page.getByRole('dialog').getByLabel('Name of the template').fill('Every Monday')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Template kept').waitFor()
  await act('Change')
  await page.waitForURL(/edit=/)
  await section('Receiver 1').getByLabel('Name', { exact: true }).fill('Bola Ade')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Order \S+ changed/).waitFor()
  await page.goto('/dispatch/add-dispatch')
  await page.getByRole('button', { name: 'From a template' }).click()
  await page.getByRole('menuitem', { name: 'Every Monday' }).click()
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'Ada Obi'))
  const { payload } = await (await page.request.get('/app/api/v1/dispatch/orders?search=bola', { headers })).json()
  expect(payload.meta.total).toBe(1)
})

test('nothing went wrong on the way', () => {
  expect(stage.faults).toEqual([])
})
