import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { wantedReport } from '../../../test/report-scene.ts'

const t = describeApp()

test('a report says that nobody gets it, or that it covers nothing, and removals that would cause it name it before', async () => {
  const admin = await buildUser(t)
  const boss = await buildUser(t, { company: admin, role: 'staff' })
  const device = await aDevice(t, { companyId: admin.companyId })
  const ask = async (path: string) => (await t.call('GET', path, { token: admin.token })).body.payload
  const body = wantedReport(device, { recipients: [{ userId: boss.id }] })
  const { id, faults } = (await t.call('POST', '/report', { token: admin.token, body })).body.payload
  expect(faults).toEqual([])
  expect(await ask(`/report/silenced?without=user&id=${boss.id}`)).toMatchObject([{ id }])
  expect(await ask(`/report/silenced?without=device&id=${device.id}`)).toMatchObject([{ id }])
  await t.call('DELETE', `/users/${boss.id}`, { token: admin.token })
  await t.call('PUT', `/devices/${device.id}/decommission`, { token: admin.token, body: {} })
  expect((await ask('/report?faulty=true')).data).toMatchObject([{ id, faults: ['tellsNobody', 'coversNothing'] }])
  expect((await ask('/users/dashboard')).reports).toEqual({ faulty: 1 })
  await t.call('PATCH', `/report/${id}`, { token: admin.token, body: { paused: true } })
  expect((await ask('/users/dashboard')).reports).toEqual({ faulty: 0 })
})
