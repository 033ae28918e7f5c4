import { expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { sweepDisputes } from './event-jobs.ts'
import { reconcilePayments } from './reconcile.ts'

const scene = await describeMoney()
const { t, peer } = scene
const providers = [
  ['paystack', 'NG'],
  ['stripe', 'DE'],
] as const

/** 1,000 units that are paid. */
async function paid(country: string) {
  const buyer = await scene.buyer({ country })
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  await buyer.check(begun.id)
  return { buyer, begun, ...(await buyer.row(begun.id)) }
}
/** The bank does something, and its event gets lost. */
async function unheard(work: () => Promise<unknown>) {
  peer.webhooks.mode = 'none'
  await work()
  peer.webhooks.mode = 'ordinary'
}
const night = () => reconcilePayments.run(t.services, {})
const mails = async (reference: string) =>
  (await t.mails()).filter(({ subject }) => subject.includes('disput') && subject.includes(reference))

test.each(providers)(
  'a dispute at %s whose first event is lost is found the next night, once',
  async (name, country) => {
    const { buyer, begun, reference } = await paid(country)
    await unheard(() => peer.dispute(name, reference))
    expect((await buyer.row(begun.id)).dispute).toBeNull()
    await night()
    await night()
    expect((await buyer.row(begun.id)).dispute).toBe('open')
    expect((await mails(reference)).map(({ to }) => to).sort()).toEqual([buyer.email, 'desk@seller.test'].sort())
    expect([await buyer.units(), await buyer.serials()]).toMatchObject([1_000, { length: 1 }])
  },
)

test.each(providers)(
  'one at %s of which nothing was heard until it was lost has its credit note',
  async (name, country) => {
    const { buyer, begun, reference } = await paid(country)
    await unheard(() => peer.dispute(name, reference))
    await unheard(() => peer.endDispute(name, reference, 'lost'))
    await night()
    expect((await buyer.row(begun.id)).dispute).toBe('lost')
    expect([await buyer.units(), (await buyer.serials()).length]).toEqual([0, 2])
  },
)

test.each(providers)(
  'one at %s is found after weeks in which no night went through to its end',
  async (name, country) => {
    await night()
    const { buyer, begun, reference } = await paid(country)
    await unheard(() => peer.dispute(name, reference))
    t.clock.advance(20 * 86_400_000)
    peer.trouble(...Array.from({ length: 6 }, () => 'broken' as const))
    await expect(night()).rejects.toThrow('could not be listed')
    peer.trouble()
    expect((await buyer.row(begun.id)).dispute).toBeNull()
    await night()
    expect((await buyer.row(begun.id)).dispute).toBe('open')
  },
)

test.each(providers)(
  'of those at %s only what is listed since the last night is asked for, and that of others is let be',
  async (name, country) => {
    const { reference, buyer, begun } = await paid(country)
    // As the payment of another installation with the same account at the provider.
    await t.change(
      buyer.companyId,
      `update payments set reference = 'iso-other-' || id, provider_ref = null where id = $1`,
      [begun.id],
    )
    await unheard(() => peer.dispute(name, reference))
    await night()
    expect((await buyer.row(begun.id)).dispute).toBeNull()
  },
)

test.each(providers)('one at %s over a part that is lost takes back that part, and no more', async (name, country) => {
  const { buyer, begun, reference, amount } = await paid(country)
  const part = Math.round(Number(amount) / 4)
  await unheard(() => peer.dispute(name, reference, part))
  await unheard(() => peer.endDispute(name, reference, 'lost'))
  await night()
  await night()
  expect((await buyer.row(begun.id)).dispute).toBe('lost')
  const notes = await inTenant(t.pool, buyer.companyId, ({ client }) =>
    client.query(`select total from invoices where kind = 'credit_note'`),
  )
  expect(notes.rows).toEqual([{ total: String(-part) }])
  expect(await buyer.units()).toBe(750)
})

test.each(providers)(
  'a second one at %s over a payment that has lost one is told, and takes back its part',
  async (name, country) => {
    const { buyer, begun, reference, amount } = await paid(country)
    const part = Math.round(Number(amount) / 4)
    const over = async (share: number, result: 'won' | 'lost') => {
      await unheard(() => peer.dispute(name, reference, share))
      await night()
      const { dispute } = await buyer.row(begun.id)
      await unheard(() => peer.endDispute(name, reference, result))
      await sweepDisputes.run(t.services, {})
      await night()
      return dispute
    }
    expect(await over(part, 'lost')).toBe('open')
    expect([await buyer.units(), await buyer.serials()]).toMatchObject([750, { length: 2 }])
    expect(await over(2 * part, 'lost')).toBe('open')
    expect([await buyer.units(), await buyer.serials()]).toMatchObject([250, { length: 3 }])
    const told = await mails(reference)
    expect(
      told.filter(({ to }) => to === 'desk@seller.test').map(({ subject }) => /is (open|lost)/.exec(subject)?.[1]),
    ).toEqual(['open', 'lost', 'open', 'lost'])
    expect(told.filter(({ to }) => to === buyer.email)).toHaveLength(4)
    // One that is won changes nothing of those that are lost.
    expect(await over(part, 'won')).toBe('open')
    expect((await buyer.row(begun.id)).dispute).toBe('lost')
    expect([await buyer.units(), await buyer.serials()]).toMatchObject([250, { length: 3 }])
  },
)
