import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, inCompany } from '../../../test/factories.ts'
import { aPlan, aSubscription } from '../../../test/plan-factory.ts'
import { subscriptionById } from '../../core/billing/subscription-queries.ts'
import { renewSubscriptions } from '../../features/billing/renew-job.ts'
import { provider } from './provider.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 0 } })

/** A subscription of a month for 10.00 NGN, and the desk's refund of a part of it. */
async function subscribed() {
  const user = await buildUser(t)
  const { id } = await aSubscription(t, user, await aPlan(t))
  const [{ reference } = { reference: '' }] = await t.rows<{ reference: string }>(
    'select reference from payments where company_id = $1',
    [user.companyId],
  )
  const refund = async (amount: string) => {
    const said: string[] = []
    const of = ['--company', String(user.companyId), '--payment', reference, '--reason', 'Not needed', '--by-hand']
    const tools = { pool: t.pool, now: () => t.clock.now(), out: (line: string) => void said.push(line) }
    expect(await provider(['payments', 'refund', ...of, '--amount', amount], tools)).toBe(0)
    await renewSubscriptions.run(t.services, {})
    return said.join('\n')
  }
  const state = () => inCompany(t, user.companyId, (ctx) => subscriptionById(ctx, id))
  const licence = async () =>
    (await t.rows<{ expires_at: Date }>('select expires_at from licences where company_id = $1', [user.companyId]))[0]
  return { refund, state, licence }
}

test('a plan whose running period is refunded in full ends at once', async () => {
  const { refund, state, licence } = await subscribed()
  expect(await refund('4')).not.toContain('The plan ends')
  expect(await state()).toMatchObject({ state: 'active', ended_at: null })
  t.clock.advance(60_000)
  expect(await refund('6')).toContain('The plan ends')
  expect(await state()).toMatchObject({ state: 'cancelled', ended_at: t.clock.now(), next_action_at: null })
  expect((await licence())?.expires_at).toEqual(t.clock.now())
})

test('one that is refunded in part goes on as before', async () => {
  const { refund, state, licence } = await subscribed()
  const before = await state()
  await refund('9.99')
  expect(await state()).toMatchObject({ state: 'active', period_end: before?.period_end })
  expect((await licence())?.expires_at.getTime()).toBeGreaterThan(t.clock.now().getTime())
})
