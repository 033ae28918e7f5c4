import type { ShipmentSummary } from '@isotherm/contract/shipment-calls.ts'
import { type Shipment, shipmentAttentions } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { joiningScene } from '../../../test/joining-scene.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const day = 24 * 60

/** At 20 min: shipments of every state, late or soon there or neither, with a device, with a private one, with one taken off, or with none. */
async function scene() {
  const s = await joiningScene(t, pipeline)
  const leg = (etd: number, eta: number) => ({
    legs: [
      {
        ...{ mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam' },
        ...{ etd: s.at(etd).toISOString(), eta: s.at(eta).toISOString() },
      },
    ],
  })
  const [open, secret, gone] = [
    await s.device('Open'),
    await s.device('Secret', { visibility: 'private' }),
    await s.device('Gone'),
  ]
  const overdue = await s.planned([], leg(5, 20 * day))
  const soon = await s.planned([open], leg(day, 3 * day))
  await s.planned([], leg(day, 20 * day))
  const behind = await s.started([secret], leg(5, 10))
  const bare = await s.started([], leg(5, 6 * day))
  const left = await s.started([gone], leg(5, 20 * day))
  const over = await s.started([], leg(5, 15))
  await s.has(left, 12)
  await s.complete(over, 13)
  t.clock.set(s.at(20))
  const staff = await buildUser(t, { company: s.admin, role: 'staff' })
  const ask = async (user: TestUser, path: string) => {
    const answer = await t.call('GET', `/export/shipments${path}`, { token: user.token })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload
  }
  return { s, ask, readers: [s.admin, staff], ids: { overdue, soon, behind, bare, left } }
}

test('each figure of the summary counts the shipments that its filter leaves, whoever reads', async () => {
  const { ask, readers, ids } = await scene()
  const expected = {
    late: [ids.overdue, ids.behind],
    arrivingSoon: [ids.soon, ids.bare],
    unwatched: [ids.bare, ids.left],
  }
  for (const reader of readers) {
    const summary: ShipmentSummary = await ask(reader, '/summary')
    expect(summary).toMatchObject({ all: 7, byState: { pending: 3, ongoing: 3, completed: 1 } })
    expect((await ask(reader, '?filter=ongoing')).meta.total).toBe(summary.byState.ongoing)
    for (const one of shipmentAttentions) {
      const { data, meta, filterCounts } = await ask(reader, `?attention=${one}`)
      expect(data.map(({ id }: Shipment) => id).sort()).toEqual([...expected[one]].sort())
      expect([one, meta.total, filterCounts.attention[one]]).toEqual([one, summary[one], summary[one]])
    }
  }
})

test('a reason goes with state and search, and the devices by status and the CSV follow it', async () => {
  const { s, ask, readers, ids } = await scene()
  const [admin, staff] = readers as [TestUser, TestUser]
  const { data, filterCounts } = await ask(admin, '?attention=late&filter=pending&search=oranges')
  expect(data.map(({ id }: Shipment) => id)).toEqual([ids.overdue])
  expect(filterCounts).toMatchObject({ filter: { all: 2, pending: 1, ongoing: 1 }, attention: { all: 3, late: 1 } })
  expect(await ask(admin, '/devices-by-status?attention=late')).toMatchObject({ total: 1, hidden: 0 })
  expect(await ask(staff, '/devices-by-status?attention=late')).toMatchObject({ total: 0, hidden: 1 })
  const csv = await s.fileOf('/export/shipments/export?attention=late')
  expect(csv.toString().trim().split('\n')).toHaveLength(3)
})
