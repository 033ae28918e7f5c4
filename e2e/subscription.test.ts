import { join } from 'node:path'
import type { PaymentPeer } from '@isotherm/simulator/payments/peer.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './axe.ts'
import { provider, stockUp } from './devices-company.ts'
import { openMoneyStage } from './money-stage.ts'
import { admin, authorization } from './people.ts'
import type { Stage } from './stage.ts'

const shots = process.env.SHOTS
const imei = '490154203237518'
let bank: PaymentPeer
let stage: Stage
let page: Page

beforeAll(async () => {
  const opened = await openMoneyStage({ BILLING: 'on' })
  bank = opened.bank
  stage = opened.stage
  await provider(stage, 'plans', 'defaults')
  for (const [plan, month, year] of [
    ['one-device', '9500', '95000'],
    ['five-devices', '40000', '400000'],
    ['ten-devices', '70000', '700000'],
  ] as const) {
    const set = ['prices', 'set', plan, '--currency', 'NGN', '--billing']
    await provider(stage, ...set, 'monthly', '--amount', month)
    await provider(stage, ...set, 'annually', '--amount', year)
  }
  await provider(stage, 'plans', 'change', 'ten-devices', '--modules', 'devices,groups,alarms,users,payments')
  page = (await admin(stage)).page
  const { codes } = await stockUp(stage, [imei])
  // It takes the place of the trial.
  const made = await page.request.post('/app/api/v1/devices/setup', {
    headers: await authorization(page),
    data: { imei, name: 'Vaccine fridge', claimCode: codes.get(imei) },
  })
  if (!made.ok()) throw new Error(await made.text())
})
afterAll(async () => {
  await stage?.close()
  await bank?.close()
})

async function shoot(name: string) {
  if (!shots) return
  for (const [width, colorScheme] of [
    [1366, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: width > 500 ? 900 : 844 })
    await page.screenshot({ path: join(shots, `subscription-${name}-${width}.png`), fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1366, height: 800 })
}

const drawer = () => page.getByRole('dialog')
const plan = (name: string) => page.getByRole('region', { name, exact: true })
const actOn = async (act: string) => {
  await page.getByRole('button', { name: 'Actions for Vaccine fridge' }).click()
  await page.getByRole('menuitem', { name: act }).click()
}
const pay = () => page.getByRole('button', { name: 'Pay', exact: true })

test('a plan is chosen, paid on the bank’s page, and runs with the device that was on trial', async () => {
  await page.goto('/subscription')
  await page.waitForURL('**/subscription/devices')
  await page.getByText('NGN 43,000.00').waitFor()
  await page.getByText('Without: Reports, Dispatch').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('plans')
  await page.getByText('Annually', { exact: true }).click()
  await page.getByText('NGN 430,000.00').waitFor()
  await page.getByText('Monthly', { exact: true }).click()
  await page.getByRole('button', { name: 'Choose 5 devices' }).click()
  await drawer().getByRole('textbox', { name: 'Address', exact: true }).fill('5 Broad Street\nLagos')
  await drawer().getByRole('button', { name: 'Go on' }).click()
  await drawer().getByText(/^VAT/).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('order')
  await drawer().getByRole('button', { name: 'Pay NGN 43,000.00' }).click()
  await page.getByRole('heading', { name: 'Pretend bank' }).waitFor()
  await pay().click()
  await page.waitForURL('**/subscription/devices?payment=*')
  await page.getByText('Your plan runs.').waitFor()
  await plan('5 devices').getByText('and costs NGN 43,000.00').waitFor()
  await plan('5 devices').getByText('1 of 5 places taken').waitFor()
  await page.getByRole('row', { name: /Vaccine fridge.*5 devices/ }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('runs')
})

test('another plan is quoted: a larger one to be paid now, a smaller one from the next period on', async () => {
  await page.goto('/subscription/devices')
  await plan('5 devices').getByRole('button', { name: 'Change plan' }).click()
  // The present plan is chosen: there is nothing to change.
  await expect.poll(() => drawer().getByRole('button', { name: 'Change plan' }).isDisabled()).toBe(true)
  await drawer().getByRole('radio', { name: '10 devices' }).check()
  await drawer().getByText('It begins with your payment').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('larger')
  await drawer().getByRole('radio', { name: '1 device', exact: true }).check()
  await drawer().getByText('Nothing is paid now').waitFor()
  await shoot('smaller')
  await drawer().getByRole('button', { name: 'Change plan' }).click()
  await plan('5 devices').getByText('it becomes 1 device, monthly').waitFor()
  await shoot('planned')
})

test('a device gives its place up, the plan is cancelled, and both are taken back', async () => {
  await page.goto('/subscription/devices')
  await page.getByRole('searchbox', { name: 'Search by name, tag or IMEI' }).fill(imei.slice(3, 9))
  await actOn('Give up the place of Vaccine fridge')
  await drawer().getByRole('button', { name: 'Give up the place' }).click()
  await page.getByText('then given up').waitFor()
  await actOn('Keep the place of Vaccine fridge')
  await page.getByText('then given up').waitFor({ state: 'detached' })
  await plan('5 devices').getByRole('button', { name: 'Cancel plan' }).click()
  await drawer().getByRole('button', { name: 'Cancel plan' }).click()
  await plan('5 devices').getByText('Ends with its period').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('ends')
  await plan('5 devices').getByRole('button', { name: 'Keep the plan' }).click()
  await plan('5 devices').getByText('Active', { exact: true }).waitFor()
  await page.goto('/subscription/licences')
  await page.getByRole('button', { name: 'Show the devices of: Subscription' }).click()
  await page.getByRole('status').getByText('Vaccine fridge').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'See the plans' }).click()
  await page.waitForURL('**/subscription/devices')
  await page.getByRole('link', { name: 'Invoices' }).click()
  await page.getByText(/5 devices, monthly, .* to /).waitFor()
  expect(stage.faults).toEqual([])
})

/** The device's licence is over, and its place is free, as after a period in which it lost it. */
const endLicence = (): Promise<void> =>
  stage.inDatabase(async (client) => {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ company_id: number }>('select company_id from subscriptions limit 1')
    const companyId = rows[0]?.company_id ?? 0
    await client.query(`reset role; set local role app; set local app.company_id = '${companyId}'`)
    await client.query(`update devices set licence_until = now() - interval '2 days', updated_at = now()`)
    await client.query('delete from licence_uses')
    await client.query(`insert into settings_changes (subject) values ('company:' || $1), ('imei:' || $2)`, [
      ...[companyId, imei],
    ])
    await client.query('commit')
  })

test('a device without a licence is given a free place by hand', async () => {
  await endLicence()
  await page.goto('/subscription/devices')
  const open = page.getByRole('region', { name: 'Devices without a licence' })
  await open.getByText('Vaccine fridge').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('unlicensed')
  await open.getByRole('button', { name: 'Give Vaccine fridge a place of 5 devices' }).click()
  await page.getByText('Vaccine fridge has a place of 5 devices until').waitFor()
  await page.getByRole('row', { name: /Vaccine fridge.*5 devices/ }).waitFor()
  await open.waitFor({ state: 'detached' })
})

test('a plan is ordered by transfer: where to pay, what to name, and its period once the money is recorded', async () => {
  const bankOf = ['seller', 'bank', '--currency', 'NGN', '--holder', 'Seller', '--bank', 'First Bank']
  await provider(stage, ...bankOf, '--account', '0123456789')
  await page.clock.install()
  await page.goto('/subscription/devices')
  await page.getByRole('button', { name: 'Choose 1 device' }).click()
  await drawer().getByRole('radio', { name: 'By bank transfer' }).check()
  await drawer().getByText('The period begins when your transfer has come in').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('transfer-order')
  await drawer().getByRole('button', { name: 'Order for NGN 10,212.50' }).click()
  await page.getByText('Waiting for your transfer').waitFor()
  const panel = page.getByRole('region', { name: 'Your payment' })
  const facts = panel.getByRole('definition')
  await expect
    .poll(() => facts.allTextContents())
    .toEqual([
      ...[expect.stringMatching(/^IS-[0-9A-Z]+-\d\d-P\d{4}-[A-Y]$/), expect.stringContaining('10,212.50')],
      ...['Seller', 'First Bank', '0123456789'],
    ])
  await panel.getByRole('button', { name: 'Copy Reference' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('transfer-waiting')
  const [reference = ''] = await facts.allTextContents()
  const company = String(Number.parseInt(reference.split('-')[1] ?? '', 36))
  const recorded = ['--company', company, '--payment', reference, '--amount', '10212.50', '--reference', 'T1']
  await provider(stage, 'payments', 'record', ...recorded)
  // The server looks once a minute, or when it is asked; the page once a minute.
  const headers = await authorization(page)
  const payments = '/app/api/v1/enterprise/payments'
  const [open] = (await (await page.request.get(payments, { headers })).json()).payload
  const asked = async () => (await page.request.post(`${payments}/${open.id}/check`, { headers })).json()
  await expect.poll(async () => (await asked()).payload.state).toBe('succeeded')
  await page.clock.runFor(61_000)
  await plan('1 device').getByText('Active', { exact: true }).waitFor()
  await shoot('transfer-runs')
  expect(stage.faults).toEqual([])
})

test('a larger plan at once is ordered by transfer in the drawer that changes a plan', async () => {
  await page.goto('/subscription/devices')
  await plan('1 device').getByRole('button', { name: 'Change plan' }).click()
  await drawer().getByRole('radio', { name: '10 devices' }).check()
  await drawer().getByText('It begins with your payment').waitFor()
  await drawer().getByRole('radio', { name: 'By bank transfer' }).check()
  await drawer().getByText('It begins when the transfer is in').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await shoot('larger-transfer')
  await drawer()
    .getByRole('button', { name: /^Order for NGN/ })
    .click()
  await page.getByText('Waiting for your transfer').waitFor()
  await plan('1 device').getByText('Active', { exact: true }).waitFor()
  expect(stage.faults).toEqual([])
})
