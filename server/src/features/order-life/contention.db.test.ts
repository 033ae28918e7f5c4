import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { dispatchOf } from '../../../test/dispatch-scene.ts'
import type { Answer } from '../../../test/harness.ts'

const t = describeApp()

const count = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = status === 200 ? 'done' : body.code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
const times = <T>(n: number, make: (index: number) => T | Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)))

test('50 at once start, end and cancel one order: one is heard, the others are told who it was and when', async () => {
  const d = await dispatchOf(t)
  const box = await d.device()
  const order = await d.order({ deviceIds: [box.id] })
  const starts = await times(50, () => d.act(order, 'start'))
  expect(count(starts)).toEqual({ done: 1, ORDER_STARTED: 49 })
  for (const { body } of starts.filter(({ status }) => status !== 200))
    expect(body.message).toMatch(new RegExp(`^${d.admin.fullname} started this order at .*GMT`))
  const endings = await times(50, (n) =>
    n % 2 ? d.cancel(order, { reason: 'Recalled' }) : d.act(order, 'end', { rest: { outcome: 'delivered' } }),
  )
  expect(count(endings)).toEqual({ done: 1, ORDER_OVER: 49 })
  const kinds = (await d.events(order)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'started')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'ended' || kind === 'cancelled')).toHaveLength(1)
  expect(await t.rows(`select state from records where company_id = ${d.companyId}`)).toEqual([{ state: 'ended' }])
})

test('50 orders for one device: it is on one that runs', async () => {
  const d = await dispatchOf(t)
  const box = await d.device()
  const orders = await times(50, () => d.order({ deviceIds: [box.id] }))
  const answers = await times(50, (n) => d.act(orders[n] as (typeof orders)[number], 'start'))
  expect(count(answers)).toEqual({ done: 1, DEVICE_BUSY: 49 })
  const running = `select device_id from order_devices where company_id = ${d.companyId} and is_running`
  expect(await t.rows(running)).toHaveLength(1)
})

test('50 orders of drivers, vehicles and devices in any mixture: nobody has two, and none waits for ever', async () => {
  const d = await dispatchOf(t)
  const { companyId } = d
  const drivers = await times(3, () => aDriver(t, { companyId }))
  const vehicles = await times(3, () => aVehicle(t, { companyId }))
  const devices = await times(5, () => d.device())
  const orders = await times(50, (n) =>
    d.order({
      ...{ driverId: drivers[n % 3]?.id ?? null, vehicleId: vehicles[Math.floor(n / 3) % 3]?.id ?? null },
      deviceIds: [devices[n % 5], devices[(n * 2 + 1) % 5]]
        .map((device) => device?.id ?? 0)
        .filter((id, at, all) => all.indexOf(id) === at),
    }),
  )
  const answers = await times(50, (n) => d.act(orders[n] as (typeof orders)[number], 'start'))
  const counts = count(answers)
  expect(counts.done).toBeGreaterThan(0)
  expect(Object.keys(counts).sort()).toEqual(
    Object.keys(counts)
      .filter((name) => ['done', 'DRIVER_BUSY', 'VEHICLE_BUSY', 'DEVICE_BUSY'].includes(name))
      .sort(),
  )
  const twice = (column: string, other: string) =>
    t.rows(`select ${column} from orders where company_id = ${companyId} and state = 'inProgress'
      group by ${column} having count(distinct ${other}) > 1`)
  expect(await twice('driver_id', 'vehicle_id')).toEqual([])
  expect(await twice('vehicle_id', 'driver_id')).toEqual([])
  expect(
    await t.rows(`select device_id from order_devices where company_id = ${companyId} and is_running
      group by device_id having count(*) > 1`),
  ).toEqual([])
})

test('50 hand-overs, arrivals and an end of one stop at once: it is settled once', async () => {
  const d = await dispatchOf(t)
  const order = await d.order()
  await d.done(d.act(order, 'start'))
  const answers = await times(50, (n) =>
    n % 10 === 9
      ? d.act(order, 'end', { rest: { outcome: 'failed' } })
      : n % 3
        ? d.ofStop(order, 'settle', { outcome: n % 2 ? 'delivered' : 'refused' })
        : d.ofStop(order, 'arrive'),
  )
  for (const { status } of answers) expect([200, 400]).toContain(status)
  const settled = (await d.events(order)).filter(({ kind }) => kind === 'handedOver')
  expect(settled).toHaveLength(1)
})

test('50 changes of one order at once: one is made, the others saw an older one', async () => {
  const d = await dispatchOf(t)
  const order = await d.order()
  const drivers = await times(5, () => aDriver(t, { companyId: d.companyId }))
  const answers = await times(50, (n) =>
    d.ask('PATCH', d.path(order, '/crew'), { version: 1, driverId: drivers[n % 5]?.id }),
  )
  expect(count(answers)).toEqual({ done: 1, CHANGED_MEANWHILE: 49 })
})
