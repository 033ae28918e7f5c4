import type { Locale } from '@isotherm/contract/common.ts'
import type { Plan } from '@isotherm/contract/plans.ts'
import { beforeAll, expect, test } from 'vitest'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { describeMoney } from '../../../test/money-scene.ts'
import { aSubscription } from '../../../test/plan-factory.ts'
import { billingTexts } from '../../core/billing/billing-texts.ts'

const scene = await describeMoney({ billing: { isOn: true, trialDays: 0 } })
const { t, desk } = scene

beforeAll(async () => {
  await desk('plans', 'defaults')
  const numbers = ['--users', '1', '--emails', '1', '--phones', '1', '--retention', '1']
  await desk('plans', 'add', 'seven', '--name', 'Seven devices of mine', '--devices', '7', ...numbers)
  t.clock.advance(60_000)
})

const get = async ({ token }: TestUser, path: string) => (await t.call('GET', path, { token })).body.payload
const namesOf = async (user: TestUser) =>
  ((await get(user, '/enterprise/plans')).data as Plan[]).map(({ name }) => name)

test.each<[Locale, string[]]>([
  ['en', ['1 device', '5 devices', 'Seven devices of mine', '10 devices']],
  ['fr', ['1 appareil', '5 appareils', 'Seven devices of mine', '10 appareils']],
  ['es', ['1 dispositivo', '5 dispositivos', 'Seven devices of mine', '10 dispositivos']],
  ['sw', ['Kifaa 1', 'Vifaa 5', 'Seven devices of mine', 'Vifaa 10']],
])('plans made by default are read in %s; one that the operator named is not translated', async (locale, names) => {
  const user = await buildUser(t, { locale })
  expect(await namesOf(user)).toEqual(names)
  const notice = { what: 'expired' as const, plan: '5 devices', payableUntil: null }
  expect(billingTexts(locale, 'Africa/Lagos', notice).subject).toContain(names[1])
})

test('subscriptions, licences, devices and payments name them in the reader’s language, an invoice in that of the company', async () => {
  const french = await scene.buyer()
  await t.change(french.companyId, `update companies set locale = 'fr' where company_id = $1`, [french.companyId])
  const english = await buildUser(t, { company: french, locale: 'en' })
  const [plan] = await t.pool
    .query<{ id: number; name: string }>(`select id, name from plans where code = 'five-devices'`)
    .then(({ rows }) => rows)
  if (!plan) throw new Error('no plan')
  await aSubscription(t, french, plan)
  const [subscription] = (await get(english, '/enterprise/subscriptions')).data
  const licences = (await get(english, '/enterprise/fetchActiveLicense')).data
  expect([subscription.plan.name, licences.at(-1).plan.name]).toEqual(['5 devices', '5 devices'])
  const invoices = await t.call('POST', '/enterprise/billings', { token: english.token, body: {} })
  expect(invoices.body.payload.data[0].lines).toMatchObject([{ plan: '5 appareils' }])
  // Another language of the company changes no invoice that was issued.
  await t.change(french.companyId, `update companies set locale = 'es' where company_id = $1`, [french.companyId])
  const again = await t.call('POST', '/enterprise/billings', { token: english.token, body: {} })
  expect(again.body.payload.data[0].lines).toMatchObject([{ plan: '5 appareils' }])
})
