import { expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { loadConfig } from '../../platform/config/config.ts'

// With the limits of an installation: other tests have none.
const scene = await describeMoney({ rateLimits: loadConfig({}).rateLimits })
const { t } = scene

test.each([0, -5, 1.5, 1e9, 100_001, '500', null])(
  '%s is no number of units: 422, and nothing is begun',
  async (units) => {
    const { token, companyId } = await scene.buyer()
    const body = { kind: 'sms', units, total: 645, currency: 'NGN' }
    const answer = await t.call('POST', '/wallet/sms/customPurchase', { token, body })
    expect([answer.status, Object.keys(answer.body.errors ?? answer.body.fields ?? { units: [] })]).toEqual([
      422,
      ['units'],
    ])
    expect(await t.rows('select from payments where company_id = $1', [companyId])).toEqual([])
  },
)

test('one person tries to pay twenty times an hour, and no more; others go on', async () => {
  const buyer = await scene.buyer()
  const tries = []
  for (let n = 0; n < 22; n++) tries.push((await buyer.buy({ units: n + 1 })).status)
  expect(tries.slice(0, 20)).not.toContain(429)
  expect(tries.slice(20)).toEqual([429, 429])
  expect((await (await scene.buyer()).buy()).status).toBe(200)
})

test('one licence key of two browsers at once is one licence', async () => {
  const { token, companyId } = await scene.buyer()
  const said = (await scene.desk('licences', 'issue', '--devices', '2', '--months', '12')).join('\n')
  const body = { licenceKey: said.match(/ISO-[0-9A-Z-]+/)?.[0] }
  const add = () => t.call('POST', '/enterprise/addLicense', { token, body })
  expect((await Promise.all([add(), add()])).map(({ status }) => status)).toEqual([200, 200])
  expect(await t.rows(`select from licences where company_id = $1 and source = 'key'`, [companyId])).toHaveLength(1)
})

test('invoices of a period that ends before it begins are a 422', async () => {
  const { token } = await scene.buyer()
  const body = { from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }
  expect((await t.call('POST', '/enterprise/billings', { token, body })).status).toBe(422)
})
