import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'

const t = describeApp()

async function stepsOf(token: string) {
  const { firstSteps }: Dashboard = (await t.call('GET', '/users/dashboard', { token })).body.payload
  return firstSteps && Object.fromEntries(firstSteps.map(({ step, isDone }) => [step, isDone]))
}

test('the first steps of a company are ticked off as they are done, and the list goes with the last', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const { token } = admin
  expect(await stepsOf(token)).toEqual({ device: false, limits: false, alarm: false, person: false, group: false })
  const device = await aDevice(t, { ...company, name: 'Fridge' })
  await t.call('PATCH', `/devices/${device.id}`, { token, body: { limits: { temperatureMaxC: null } } })
  expect(await stepsOf(token)).toMatchObject({ device: true })
  await t.call('PATCH', `/devices/${device.id}`, { token, body: { limits: { temperatureMaxC: 8 } } })
  await anAlarm(t, admin, { deviceIds: [device.id] })
  expect(await stepsOf(token)).toEqual({ device: true, limits: true, alarm: true, person: false, group: false })
  await t.call('POST', '/groups', { token, body: { name: 'Shop' } })
  await buildUser(t, { company, role: 'staff' })
  expect(await stepsOf(token)).toBeNull()
})

test('the steps are those that the person may do, judged by what the person sees', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const [manager, staff] = [
    await buildUser(t, { company, role: 'manager' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  await aDevice(t, { ...company, name: 'Hidden', visibility: 'private' })
  expect(await stepsOf(admin.token)).toMatchObject({ device: true, person: true })
  expect(await stepsOf(manager.token)).toEqual({ device: false, limits: false, alarm: false, group: false })
  expect(await stepsOf(staff.token)).toBeNull()
})

test('an Admin hides the list for the company; another company keeps its own', async () => {
  const company = await buildCompany(t)
  const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  const other = await buildUser(t)
  const hide = (token: string) => t.call('PATCH', '/auth/company/first-steps', { token, body: { hidden: true } })
  expect((await hide(manager.token)).status).toBe(403)
  expect((await hide(admin.token)).body.payload).toMatchObject({ firstStepsHidden: true })
  expect([await stepsOf(admin.token), await stepsOf(manager.token)]).toEqual([null, null])
  expect(await stepsOf(other.token)).not.toBeNull()
  await t.call('PATCH', '/auth/company/first-steps', { token: admin.token, body: { hidden: false } })
  expect(await stepsOf(manager.token)).not.toBeNull()
})

test('nobody is offered first steps after 90 days', async () => {
  const { token } = await buildUser(t)
  expect(await stepsOf(token)).not.toBeNull()
  t.clock.advance(91 * 86_400_000)
  expect(await stepsOf(token)).toBeNull()
})
