import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Payment } from '@isotherm/contract/billing.ts'
import type { UnitQuote } from '@isotherm/contract/wallet.ts'
import type { Page } from 'playwright-core'
import { provider } from './devices-company.ts'
import type { Stage } from './stage.ts'

const api = '/app/api/v1'
/** As many orders as a company may owe at once: more than the least screen must show. */
const orders = [100, 200, 300, 400, 500]

/** Rows of what a company buys, holds and asks its provider for: paid invoices, units, licences, certificates and requests. */
export async function addBoughtAndAsked(
  stage: Stage,
  page: Page,
  headers: Record<string, string>,
  devices: readonly string[],
) {
  const ask = async <T = unknown>(method: 'get' | 'post' | 'put', path: string, given: object = {}) => {
    const answer = await page.request[method](`${api}${path}`, { headers, ...given })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: T }).payload
  }
  const naira = ['--currency', 'NGN']
  await provider(stage, 'seller', 'set', '--name', 'Seller', '--address', '1 Marina', '--country', 'NG')
  const bank = ['--holder', 'Seller', '--bank', 'First Bank', '--account', '0123456789']
  await provider(stage, 'seller', 'bank', ...naira, ...bank)
  await provider(stage, 'units', 'set', '--kind', 'sms', ...naira, '--units', '1', '--amount', '6')
  const payer = { name: 'Screens Ltd', address: '5 Broad Street, Lagos', country: 'NG', taxNumber: null }
  await ask('put', '/enterprise/billing-account', { data: payer })
  const order = async (units: number) => {
    const { quote } = await ask<{ quote: UnitQuote }>('get', `/wallet/price?units=${units}`)
    const { total, currency } = quote.price
    return ask<Payment>('post', '/wallet/sms/customPurchase', {
      data: { kind: 'sms', units, total, currency, payBy: 'transfer' },
    })
  }
  const payments: Payment[] = []
  for (const units of orders) payments.push(await order(units))
  const statement = join(stage.dataDir, 'statement.csv')
  const lines = payments.map(({ amount, transfer }) => `2026-01-05,${amount / 100},${transfer?.reference}`)
  await writeFile(statement, ['date,amount,text', ...lines].join('\n'))
  await provider(stage, 'payments', 'import', statement, '--apply')
  // A transfer counts at the next look at its payment: here, because somebody asks.
  for (const { id } of payments) await ask('post', `/enterprise/payments/${id}/check`)
  // Two that nobody has paid yet.
  for (const units of [600, 700]) await order(units)

  const issued = await provider(stage, 'licences', 'issue', '--devices', '1', '--months', '12', '--count', '5')
  for (const licenceKey of issued.trim().split('\n').slice(-5))
    await ask('post', '/enterprise/addLicense', { data: { licenceKey: licenceKey.trim() } })

  for (const [at, deviceId] of devices.entries()) {
    const certificate = {
      ...{ deviceId, certificateNo: `CAL-${at}`, laboratory: 'Cold Metrology', points: [] },
      ...{ calibratedOn: '2026-01-05', dueOn: '2027-01-05' },
    }
    await ask('post', '/export/calibrations', { multipart: { certificate: JSON.stringify(certificate) } })
    const request = { title: `Question ${at}`, description: 'Since today.', category: 'devices' }
    await ask('post', '/enterprise/support', { data: request })
  }
}
