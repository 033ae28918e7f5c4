import { events } from '@isotherm/contract/webhook-events.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { estimateArrivals, watchOrderGoods } from '../order-tracking/jobs.ts'
import { numberAll } from '../webhooks/webhook-sender.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)

type Entry = { type: string; data: Record<string, unknown> }

/** The events of orders' warnings that the feed shows to a person; the data of each fits what the contract promises. */
async function fed({ token }: TestUser): Promise<Entry[]> {
  while ((await numberAll(t.services)) > 0);
  const { data } = (await t.call('GET', '/events', { token })).body.payload as { data: Entry[] }
  const shown = data.filter(({ type }) => type === 'order.late' || type === 'order.out_of_range')
  for (const { type, data } of shown) events[type as 'order.late' | 'order.out_of_range'].data.strict().parse(data)
  return shown
}

test('the feed tells once of a stop that will be late and of goods out of range, and again as they begin again', async () => {
  const admin = await buildUser(t)
  const [staff, stranger] = [await buildUser(t, { company: admin, role: 'staff' }), await buildUser(t)]
  for (const user of [admin, stranger]) await fed(user)
  const box = await aDevice(t, { companyId: admin.companyId, visibility: 'private', limits: { temperatureMaxC: 8 } })
  const order = await anOrder(t, {
    ...{ companyId: admin.companyId, deviceIds: [box.id], receivers: [{ name: 'Mercy Hospital' }] },
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(-60) },
  })
  const run = async () => {
    await estimateArrivals.run(t.services, {})
    await Promise.all([watchOrderGoods.run(t.services, {}), watchOrderGoods.run(t.services, {})])
  }
  await pipeline.send(box, [{ at: at(0), temperatureC: 9.4 }])
  await run()
  await run()
  const late = {
    type: 'order.late',
    data: { orderId: order.id, receiver: 'Mercy Hospital', due: at(-60).toISOString() },
  }
  const out = {
    type: 'order.out_of_range',
    data: { orderId: order.id, deviceId: String(box.id), measure: 'temperature', side: 'above' },
  }
  expect(await fed(admin)).toMatchObject([late, out])
  // The device is for Admins only; the stop is for everybody who may see orders.
  expect(await fed(staff)).toMatchObject([late])
  expect(await fed(stranger)).toEqual([])
  for (const temperatureC of [5, 9.4]) {
    t.clock.advance(5 * minute)
    await pipeline.send(box, [{ at: at(0), temperatureC }])
    await run()
  }
  expect((await fed(admin)).map(({ type }) => type)).toEqual(['order.late', 'order.out_of_range', 'order.out_of_range'])
})
