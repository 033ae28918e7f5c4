import type { PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provider } from './devices-company.ts'
import { openMoneyStage } from './money-stage.ts'
import { admin, authorization, loggedIn } from './people.ts'
import type { Stage } from './stage.ts'

/* The same purchase twice, by the ways in which people come to it: each is one payment. */

let bank: PaymentPeer
let stage: Stage
let page: Page
let email: string
let headers: Record<string, string>

beforeAll(async () => {
  const opened = await openMoneyStage()
  bank = opened.bank
  stage = opened.stage
  const price = ['units', 'set', '--kind', 'sms', '--currency', 'NGN', '--units']
  await provider(stage, ...price, '1000', '--amount', '5500', '--bundle')
  const someone = await admin(stage)
  page = someone.page
  email = someone.email
  const details = { name: 'Lagos Cold Stores', address: '5 Broad Street', country: 'NG', taxNumber: null }
  headers = await authorization(page)
  const account = { headers, data: details }
  const saved = await page.request.put('/app/api/v1/enterprise/billing-account', account)
  if (!saved.ok()) throw new Error(await saved.text())
})
afterAll(async () => {
  await stage?.close()
  await bank?.close()
})

const payButton = (of: Page) => of.getByRole('dialog').getByRole('button', { name: 'Pay NGN 5,912.50' })
async function choose(of: Page) {
  await of.goto('/wallet/overview')
  await of.getByRole('button', { name: 'Buy units' }).first().click()
  await payButton(of).waitFor()
}
const atBank = (of: Page) => of.getByRole('heading', { name: 'Pretend bank' }).waitFor()
const payAtBank = (of: Page) => of.getByRole('button', { name: 'Pay', exact: true }).click()
const units = (of: Page, number: string) => of.getByText(number, { exact: true }).waitFor()
const serials = async () => {
  const answer = await page.request.post('/app/api/v1/enterprise/billings', { headers, data: {} })
  const { payload } = (await answer.json()) as { payload: { data: { serialNumber: string }[] } }
  return payload.data.map(({ serialNumber }) => serialNumber.slice(-4))
}

test('a double click on the button that pays begins one payment', async () => {
  await choose(page)
  await page.getByLabel('Keep the card for later payments').check()
  await payButton(page).dblclick()
  await atBank(page)
  await payAtBank(page)
  await page.waitForURL('**/wallet/overview?payment=*')
  await units(page, '1,000')
  // Charged at once, by the card that was kept: the second click finds the first one's payment.
  await choose(page)
  await payButton(page).dblclick()
  await page.waitForURL('**/wallet/overview?payment=*')
  await units(page, '2,000')
  expect([bank.movements.length, await serials()]).toEqual([2, ['0002', '0001']])
})

test('in two browsers of one person it is one page at the bank, which is paid once', async () => {
  const other = await loggedIn(stage, email)
  for (const one of [page, other]) {
    await choose(one)
    await one.getByRole('radio', { name: 'On the page of the payment provider' }).check()
    await payButton(one).click()
    await atBank(one)
  }
  expect(other.url()).toBe(page.url())
  await payAtBank(page)
  await page.waitForURL('**/wallet/overview?payment=*')
  await payAtBank(other)
  await other.getByText('This is paid.').waitFor()
  await other.goto('/wallet/overview')
  for (const one of [page, other]) await units(one, '3,000')
  expect([bank.movements.length, (await serials()).length]).toEqual([3, 3])
  await other.close()
})

test('who presses back in the middle of paying comes to the same page at the bank again', async () => {
  await choose(page)
  await page.getByRole('radio', { name: 'On the page of the payment provider' }).check()
  await payButton(page).click()
  await atBank(page)
  const first = page.url()
  await page.goBack()
  await page.waitForURL('**/wallet/overview*')
  await page.getByText('Waiting for your payment').waitFor()
  await choose(page)
  await page.getByRole('radio', { name: 'On the page of the payment provider' }).check()
  await payButton(page).click()
  await atBank(page)
  expect(page.url()).toBe(first)
  await payAtBank(page)
  await page.waitForURL('**/wallet/overview?payment=*')
  await units(page, '4,000')
  // Back once more, to the page that is paid.
  await page.goto(first)
  await page.getByText('This is paid.').waitFor()
  expect([bank.movements.length, (await serials()).length]).toEqual([4, 4])
  expect(stage.faults).toEqual([])
})
