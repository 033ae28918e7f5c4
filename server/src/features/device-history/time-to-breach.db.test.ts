import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000

async function deviceWith(values: number[]) {
  const company = await buildCompany(t)
  const { token } = await buildUser(t, { company })
  const device = await aDevice(t, { ...company, intervalS: 300 })
  await t.call('PATCH', `/devices/${device.id}`, {
    token,
    body: { limits: { temperatureMinC: 2, temperatureMaxC: 8 } },
  })
  const now = t.clock.now().getTime()
  const readings = values.map((temperatureC, i) => ({
    at: new Date(now - (values.length - 1 - i) * 5 * minute),
    temperatureC,
  }))
  await pipeline.send(device, readings)
  return async () => (await t.call('GET', `/devices/${device.id}`, { token })).body.payload.timeToBreach
}
const steady = Array.from({ length: 40 }, (_, i) => 4.6 + (i % 4) * 0.1)
const warming = [5.1, 5.3, 5.6, 5.9, 6.2, 6.5, 6.8]

test('a device that warms up says when it reaches its limit, with a band', async () => {
  const ask = await deviceWith([...steady, ...warming])
  const forecast = await ask()
  expect(forecast).toMatchObject({ state: 'heading', side: 'above', limitC: 8 })
  expect(forecast.minutes).toBeGreaterThanOrEqual(18)
  expect(forecast.minutes).toBeLessThanOrEqual(26)
  expect(forecast.lowMinutes).toBeLessThan(forecast.minutes)
  expect(forecast.highMinutes).toBeGreaterThan(forecast.minutes)
})
test('one that is steady, or out of range already, is heading nowhere', async () => {
  expect(await (await deviceWith(steady))()).toEqual({ state: 'notHeading' })
  expect(await (await deviceWith([...steady, ...warming, 8.4]))()).toEqual({ state: 'notHeading' })
})
test('of few readings, or of a device that is silent, nothing is known', async () => {
  expect(await (await deviceWith([5, 5.5]))()).toEqual({ state: 'notEnoughData' })
  const ask = await deviceWith([...steady, ...warming])
  t.clock.advance(60 * minute)
  expect(await ask()).toEqual({ state: 'notEnoughData' })
})
