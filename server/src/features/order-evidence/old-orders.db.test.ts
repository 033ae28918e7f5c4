import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { readsOf } from '../../../test/reads-of.ts'

const t = describeApp()
describePipeline(t)

const hour = 3_600_000
const hours = 400
const orders = 4

test('the evidence on old orders is read of their own time, and not of all that their devices have said since', async () => {
  const admin = await buildUser(t)
  const { companyId, token } = admin
  const ago = (count: number) => new Date(t.clock.now().getTime() - count * hour)
  const device = await aDevice(t, {
    ...{ companyId, intervalS: 3_600, validFrom: ago(hours + 1), limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
    readings: Array.from({ length: hours }, (_, at) => ({ at: ago(hours - at), temperatureC: at % 4 === 3 ? 12 : 5 })),
  })
  for (let n = 0; n < orders; n++) {
    const startedAt = ago(hours - 5 * n)
    const endedAt = ago(hours - 5 * n - 4)
    const more = { state: 'completed', started_at: startedAt, left_pickup_at: startedAt, ended_at: endedAt } as const
    await anOrder(t, { companyId, deviceIds: [device.id], more })
  }
  await t.pool.query('analyze readings, readings_hourly, excursions, orders, order_devices, devices')
  const list = () => t.call('GET', '/dispatch/orders', { token })
  const cards = () =>
    t.call('GET', `/dispatch/scorecards?by=lane&from=${ago(hours).toISOString()}&to=${ago(0).toISOString()}`, { token })
  for (const [table, work] of [
    ['readings_hourly', list],
    ['excursions', list],
    ['readings_hourly', cards],
    ['excursions', cards],
  ] as const) {
    const { scans, rows } = await readsOf(t.pool, admin, { table, having: table }, work)
    expect(scans, table).toBeGreaterThan(0)
    expect(rows, `${table} of ${work === list ? 'the list' : 'scorecards'}`).toBeLessThan(orders * 20)
  }
})
