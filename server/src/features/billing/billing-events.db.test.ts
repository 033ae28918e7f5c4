import { type EventName, events } from '@isotherm/contract/webhook-events.ts'
import { afterEach, expect, test } from 'vitest'
import { inCompany } from '../../../test/factories.ts'
import type { Buyer } from '../../../test/money-scene.ts'
import { describeRenewals } from '../../../test/renewal-scene.ts'
import { switchOn } from '../../core/events/feed-queries.ts'

const scene = await describeRenewals()
const { t } = scene
// Each test follows its own.
afterEach(() => t.rows('update subscriptions set next_action_at = null'))

const follow = ({ companyId }: Buyer) => inCompany(t, companyId, ({ tx }) => switchOn({ tx, companyId }, t.clock.now()))

/** The events of a company's money, oldest first; the data of each is what the contract promises. */
async function told({ companyId }: Buyer) {
  const rows = await t.rows<{ type: EventName; data: Record<string, unknown> }>(
    `select type, data from company_events where company_id = $1 and type ~ '^(subscription|invoice)' order by id`,
    [companyId],
  )
  for (const { type, data } of rows)
    events[type].data.strict().parse({ ...data, sequence: 1, href: 'https://cold.test/' })
  return rows
}

test('a period that a card pays is told of as renewed, with its invoice, once', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'ok' })
  await follow(buyer)
  await scene.toDay(made, 0)
  const all = await told(buyer)
  expect(all.map(({ type }) => type).sort()).toEqual(['invoice.issued', 'invoice.paid', 'subscription.renewed'])
  expect(all.find(({ type }) => type === 'subscription.renewed')?.data).toMatchObject({
    ...{ subscriptionId: made.id, state: 'active', periodStart: made.period_end.toISOString() },
  })
  expect(all.find(({ type }) => type === 'invoice.paid')?.data).toMatchObject({
    ...{ amount: 1_075_000, currency: 'NGN', number: expect.stringMatching(/^INV-/) },
  })
})

test('a period that nobody pays is told of as owed, and in the end as over, each once', async () => {
  const buyer = await scene.buyer()
  const made = await scene.subscribed(buyer, await scene.plan(), { card: 'nofunds' })
  await follow(buyer)
  await scene.toDay(made, 14)
  const types = (await told(buyer)).map(({ type }) => type)
  expect(types.filter((type) => type.startsWith('subscription.'))).toEqual([
    'subscription.past_due',
    'subscription.expired',
  ])
})
