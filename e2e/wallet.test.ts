import { join } from 'node:path'
import type { PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { provider } from './devices-company.ts'
import { openMoneyStage } from './money-stage.ts'
import { admin, authorization } from './people.ts'
import type { Stage } from './stage.ts'

const shots = process.env.SHOTS
let bank: PaymentPeer
let stage: Stage
let page: Page

beforeAll(async () => {
  const opened = await openMoneyStage()
  bank = opened.bank
  stage = opened.stage
  const price = ['units', 'set', '--kind', 'sms', '--currency', 'NGN', '--units']
  await provider(stage, ...price, '1', '--amount', '6')
  await provider(stage, ...price, '1000', '--amount', '5500', '--bundle')
  page = (await admin(stage)).page
})
afterAll(async () => {
  await stage?.close()
  await bank?.close()
})

async function shoot(name: string) {
  if (!shots) return
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: width > 500 ? 900 : 844 })
    await page.screenshot({ path: join(shots, `wallet-${name}-${width}.png`) })
  }
  await page.setViewportSize({ width: 1366, height: 800 })
}

const drawer = () => page.getByRole('dialog')
const buying = () => page.getByRole('button', { name: 'Buy units' }).first()
const paid = () => page.getByText('Paid', { exact: true })

test('a long line of a balance wraps within its panel', async () => {
  const speak = async (locale: string) => {
    await page.request.patch('/app/api/v1/auth/user/profile', { headers: await authorization(page), data: { locale } })
    await page.evaluate((to) => {
      const session = JSON.parse(localStorage.getItem('isotherm.session') ?? '{}')
      localStorage.setItem('isotherm.session', JSON.stringify({ ...session, locale: to }))
    }, locale)
    await page.goto('/wallet/overview')
  }
  await speak('es')
  const line = page.getByText('No queda ninguna: los mensajes no se envían').first()
  await line.waitFor()
  const [ofLine, ofPanel] = await line.evaluate((element) =>
    [element, element.closest('section') ?? element].map((each) => each.getBoundingClientRect().right),
  )
  expect(ofLine).toBeLessThan(ofPanel ?? 0)
  await speak('en')
})

test('units are bought: details, price with tax, the bank’s page, and a return that resolves by itself', async () => {
  await page.goto('/wallet')
  await page.waitForURL('**/wallet/overview')
  await buying().click()
  await drawer().getByRole('textbox', { name: 'Address', exact: true }).fill('5 Broad Street\nLagos')
  await drawer().getByRole('button', { name: 'Go on' }).click()
  await drawer().getByText('NGN 5,912.50').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('price')
  await drawer().getByRole('button', { name: 'Pay NGN 5,912.50' }).click()
  await page.getByRole('heading', { name: 'Pretend bank' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/wallet/overview?payment=*')
  await paid().waitFor()
  await page.getByText('Invoice INV-').waitFor()
  await page.getByText('1,000', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('paid')
  await page.goto('/subscription/invoices')
  await page.getByRole('cell', { name: /^INV-/ }).waitFor()
  await shoot('invoices')
})

test('who goes back in the middle finds the payment, goes on, and the page waits for what the bank is slow to say', async () => {
  await page.goto('/wallet/overview')
  await buying().click()
  await drawer().getByRole('radio', { name: 'Another number' }).check()
  await drawer().getByLabel('Number of units').fill('960')
  await drawer().getByRole('button', { name: '1,000 units cost less' }).waitFor()
  await drawer().getByRole('button', { name: 'Pay NGN 6,192.00' }).click()
  await page.getByRole('heading', { name: 'Pretend bank' }).waitFor()
  await page.goto('/wallet/overview')
  await page.getByText('Waiting for your payment').waitFor()
  await shoot('waiting')
  await page.getByRole('link', { name: 'Go on paying' }).click()
  // Neither an event nor a quick answer: the page asks again by itself.
  bank.webhooks.mode = 'none'
  const checks = '**/enterprise/payments/*/check'
  // Not before: the bank must take the payment itself.
  await page.route(
    checks,
    async (route) => {
      bank.trouble('broken', 'drop')
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Pay', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await paid().waitFor()
  await page.unroute(checks)
  await page.getByText('1,960', { exact: true }).waitFor()
  const headers = await authorization(page)
  const answer = await page.request.post('/app/api/v1/enterprise/billings', { headers, data: {} })
  const { payload } = (await answer.json()) as { payload: { data: { serialNumber: string }[] } }
  expect(payload.data.map(({ serialNumber }) => serialNumber.slice(-4))).toEqual(['0002', '0001'])
  expect(stage.faults).toEqual([])
})

test('a card is kept by a payment, pays the next one at once, buys units by itself, and is removed', async () => {
  bank.webhooks.mode = 'ordinary'
  await page.goto('/subscription/cards')
  await page.getByText('keeps a card only when something is paid with it').waitFor()
  await page.goto('/wallet/overview')
  await buying().click()
  await drawer().getByLabel('Keep the card for later payments').check()
  await drawer().getByRole('button', { name: 'Pay NGN 5,912.50' }).click()
  await page.getByRole('heading', { name: 'Pretend bank' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/wallet/overview?payment=*')
  await page.getByText('2,960', { exact: true }).waitFor()
  await page.goto('/wallet/overview')
  await buying().click()
  await drawer().getByRole('radio', { name: 'Visa ending in 4081' }).waitFor()
  await shoot('saved-card')
  expect(await axeFaults(page)).toEqual([])
  await drawer().getByRole('button', { name: 'Pay NGN 5,912.50' }).click()
  await page.waitForURL('**/wallet/overview?payment=*')
  await page.getByText('3,960', { exact: true }).waitFor()
  await reloadsWhilePaying()
  await page.goto('/wallet/settings')
  await page.getByRole('switch', { name: 'Buy units by themselves' }).first().click({ force: true })
  await page.getByLabel('At most a month (NGN)').first().waitFor()
  await shoot('top-up')
  expect(await axeFaults(page)).toEqual([])
  await page.goto('/subscription/cards')
  await page.getByRole('heading', { name: 'Visa ending in 4081' }).waitFor()
  await shoot('cards')
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove Visa ending in 4081' }).click()
  await drawer().getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No card is kept yet').waitFor()
  expect(stage.faults).toEqual([])
})

/** The card is charged, the answer never comes, and the person loads the page anew and presses again. */
async function reloadsWhilePaying() {
  const before = bank.movements.length
  const purchases = '**/wallet/sms/purchase'
  const pay = async () => {
    await page.goto('/wallet/overview')
    await buying().click()
    await drawer().getByRole('radio', { name: 'Visa ending in 4081' }).waitFor()
    await drawer().getByRole('button', { name: 'Pay NGN 5,912.50' }).click()
  }
  const charged = new Promise<void>((done) => {
    void page.route(purchases, async (route) => {
      await route.fetch()
      done()
    })
  })
  await pay()
  await charged
  // The page goes first: a request that is held goes on where nothing holds it any more, and its answer would come.
  await page.goto('about:blank')
  await page.unroute(purchases)
  await pay()
  await page.waitForURL('**/wallet/overview?payment=*')
  await page.getByText('4,960', { exact: true }).waitFor()
  expect(bank.movements.length - before).toBe(1)
}

test('an order by transfer shows where to pay and what to name, and its invoice is owed', async () => {
  const bankOf = ['seller', 'bank', '--currency', 'NGN', '--holder', 'Seller', '--bank', 'First Bank']
  await provider(stage, ...bankOf, '--account', '0123456789')
  await page.goto('/wallet/overview')
  await buying().click()
  await drawer().getByRole('radio', { name: 'By bank transfer' }).check()
  expect(await axeFaults(page)).toEqual([])
  await drawer().getByRole('button', { name: 'Order for NGN 5,912.50' }).click()
  await page.getByText('Waiting for your transfer').waitFor()
  const panel = page.getByRole('region', { name: 'Your payment' }).filter({ hasText: 'transfer' })
  await expect
    .poll(() => panel.getByRole('definition').allTextContents())
    .toEqual([
      ...[expect.stringMatching(/^IS-[0-9A-Z]+-\d\d-\d{4}-[A-Y]$/), expect.stringContaining('5,912.50')],
      ...['Seller', 'First Bank', '0123456789'],
    ])
  await panel.getByRole('button', { name: 'Copy Reference' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('transfer')
  await page.goto('/subscription/invoices')
  await page.getByText('Owed').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
})

test('details, history and settings say what is there, and the warning is kept', async () => {
  await page.goto('/wallet/details')
  await page.getByText('Added').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('details')
  await page.goto('/wallet/details?from=2026-01-05&to=2026-01-31')
  await page.getByText('From 5 Jan 2026 to 31 Jan 2026').first().waitFor()
  await page.goto('/wallet/history')
  await page.getByText('Bought').first().waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.goto('/wallet/settings')
  const warning = page.getByRole('form', { name: 'Warning of SMS units' })
  await warning.getByLabel('Tell the Admins below').fill('50')
  await warning.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('settings')
})
