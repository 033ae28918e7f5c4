import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { textOf } from '../../../test/text-of.ts'

const t = describeApp()
describePipeline(t)

const minute = 60_000
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const limits = { temperatureMinC: 2, temperatureMaxC: 8 }
/** At 5 °C from six hours ago on, every five minutes. */
const readings = (count = 73) => Array.from({ length: count }, (_, n) => ({ at: ago(360 - n * 5), temperatureC: 5 }))
const calm = () => ({ name: 'Box', readings: readings(), limits })

type Box = Omit<NonNullable<Parameters<typeof aDevice>[1]>, 'companyId'>

/** The letter of the claim for an order of six hours with these devices, in English, as one line; asked for by an Admin, or a Manager. */
async function letterOf(boxes: Box[], role: 'admin' | 'manager' = 'admin'): Promise<string> {
  const admin = await buildUser(t)
  const user = role === 'admin' ? admin : await buildUser(t, { company: admin, role })
  const deviceIds: number[] = []
  for (const box of boxes) deviceIds.push((await aDevice(t, { companyId: admin.companyId, intervalS: 300, ...box })).id)
  const order = await anOrder(t, {
    ...{ companyId: admin.companyId, deviceIds },
    receivers: [{ name: 'Clinic', state: 'delivered', arrived_at: ago(120), settled_at: ago(60), window_by: ago(90) }],
    more: {
      state: 'completed',
      started_at: ago(360),
      left_pickup_at: ago(300),
      ended_at: ago(30),
      created_by: admin.id,
    },
  })
  const asked = await t.call('POST', `/dispatch/orders/${order.id}/claim`, {
    ...{ token: user.token, body: { format: 'pdf', recipients: [] } },
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  await t.runJobs()
  const file = await t.app.inject({
    url: `/app/api/v1/dispatch/claims/${asked.body.payload.id}/file`,
    headers: { authorization: `Bearer ${user.token}` },
  })
  return (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
}

const inside = 'No device measured the goods of order'
const unproven = 'We give notice of the damage that was found in the goods of order'

test('the letter of an order says that no device measured anything outside where that is proven', async () => {
  const letter = await letterOf([calm()])
  expect([letter.includes(inside), letter.includes(unproven)]).toEqual([true, false])
})

test.each([
  ['there was no device', () => []],
  ['the device was silent', () => [{ name: 'Silent', limits }]],
  ['the device had no limits', () => [{ name: 'Free', readings: readings() }]],
  ['the device stopped early', () => [{ ...calm(), readings: readings(30) }]],
] as const)('the letter of an order claims nothing of the temperature where %s', async (_, boxes) => {
  const letter = await letterOf([...boxes()])
  expect([letter.includes(inside), letter.includes(unproven)]).toEqual([false, true])
})

test('the letter of an order claims nothing where its reader does not see all devices', async () => {
  const letter = await letterOf([calm(), { ...calm(), name: 'Office', visibility: 'private' }], 'manager')
  expect([letter.includes(inside), letter.includes(unproven)]).toEqual([false, true])
})
