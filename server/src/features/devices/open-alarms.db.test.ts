import type { Device } from '@isotherm/contract/devices.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { expect, test } from 'vitest'
import { anAlarm, aTrigger } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, setMatrix } from '../../../test/factories.ts'

/* Without a pipeline: it would end triggers that no reading has opened. */
const t = describeApp()

const list = async (token: string) => (await t.call('GET', '/devices', { token })).body.payload as { data: Device[] }

async function fleet() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const staff = await buildUser(t, { company, role: 'staff' })
  return { company, admin, staff, device: () => aDevice(t, { ...company }) }
}

test('a row says how many alarms of its device are open, and the worst; only those the person may see', async () => {
  const { company, admin, staff, device } = await fleet()
  const one = await device()
  const quiet = await device()
  const deviceId = Number(one.id)
  const open = async (token: string) =>
    Object.fromEntries((await list(token)).data.map(({ id, openAlarms }) => [id, openAlarms]))
  const fire = async (severity: 'warning' | 'critical', visibility: 'private' | 'public' = 'public') => {
    const { id: alarmId } = await anAlarm(t, company, { visibility, severity })
    return aTrigger(t, company, { alarmId, deviceId })
  }
  expect(await open(admin.token)).toEqual({ [one.id]: null, [quiet.id]: null })
  await fire('warning')
  const critical = await fire('critical', 'private')
  await aTrigger(t, company, { deviceId, severity: 'critical', normalAgo: 1 })
  await aTrigger(t, company, { deviceId, severity: 'critical', isPending: true })
  expect(await open(admin.token)).toEqual({ [one.id]: { count: 2, severity: 'critical' }, [quiet.id]: null })
  // The private alarm is nothing to the team.
  expect(await open(staff.token)).toEqual({ [one.id]: { count: 1, severity: 'warning' }, [quiet.id]: null })
  await t.call('PATCH', `/alarm-triggers/${critical.id}/acknowledge`, { token: admin.token, body: {} })
  expect((await open(admin.token))[one.id]).toEqual({ count: 1, severity: 'warning' })
  const other = await fleet()
  const theirs = await other.device()
  expect(await open(other.admin.token)).toEqual({ [theirs.id]: null })
})

test('a role that may not see alarms is told of none', async () => {
  const { company, staff, device } = await fleet()
  const one = await device()
  await aTrigger(t, company, { deviceId: Number(one.id) })
  const seen = async () => (await list(staff.token)).data[0]?.openAlarms
  expect(await seen()).toEqual({ count: 1, severity: 'warning' })
  const none = { view: false, addOrEdit: false, export: false }
  await setMatrix(t, company.companyId, 'staff', { ...defaultMatrix.staff, alarms: none })
  expect(await seen()).toBeNull()
})
