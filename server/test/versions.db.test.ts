import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { describe, expect, test } from 'vitest'
import { anAlarm } from './alarm-factory.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { buildGroup } from './group-factory.ts'
import { wantedReport } from './report-scene.ts'
import { trailOf } from './trail.ts'

const t = describeApp()

interface Settings {
  path: string
  /** Two changes of the same field. */
  changes: [object, object]
  /** Where the thing is read, and how it is found there; the same path where nothing is said. */
  read?: (admin: TestUser) => Promise<{ version: number }>
  name: string
}

const load = async (admin: TestUser, path: string) =>
  (await t.call('GET', path, { token: admin.token })).body.payload as { version: number }

const staffWith = (module: 'alarms' | 'groups') => ({
  modulePermissions: { ...defaultMatrix.staff, [module]: { view: false, addOrEdit: false, export: false } },
})

/** Each thing whose change may name the version that it was made from. */
const things: Record<string, (admin: TestUser) => Promise<Settings>> = {
  alarm: async (admin) => {
    const { id: deviceId } = await aDevice(t, { companyId: admin.companyId })
    const alarm = await anAlarm(t, admin, { deviceIds: [deviceId] })
    return {
      path: `/alarms/${alarm.id}`,
      name: alarm.name,
      changes: [{ severity: 'critical' }, { severity: 'warning' }],
    }
  },
  report: async (admin) => {
    const device = await aDevice(t, { companyId: admin.companyId })
    const made = await t.call('POST', '/report', { token: admin.token, body: wantedReport(device, { name: 'Weekly' }) })
    return { path: `/report/${made.body.payload.id}`, name: 'Weekly', changes: [{ time: '05:00' }, { time: '06:00' }] }
  },
  group: async (admin) => {
    const group = await buildGroup(t, admin, { name: 'North' })
    return { path: `/groups/${group.id}`, name: 'North', changes: [{ limits: null }, { limits: { preset: 'frozen' } }] }
  },
  role: async () => ({ path: '/roles/staff', name: 'Staff', changes: [staffWith('alarms'), staffWith('groups')] }),
  'login rules': async () => {
    const rules = { secondFactorFrom: null, idleMinutes: 60, sessionHours: 12 }
    const changes: [object, object] = [rules, { ...rules, idleMinutes: 90 }]
    return { path: '/auth/company/logins', name: 'Rules of the company', changes }
  },
  wallet: async (admin) => {
    const balances = async () => (await t.call('GET', '/wallet', { token: admin.token })).body.payload
    const [{ id }] = await balances()
    const read = async () => (await balances())[0]
    return { path: `/wallet/${id}`, name: 'SMS units', read, changes: [{ warnBelow: 7 }, { warnBelow: 9 }] }
  },
  company: async (admin) => {
    const read = async () => (await t.call('GET', '/auth/profile', { token: admin.token })).body.payload.company
    const { name } = await read()
    return { path: '/auth/company/profile', name, read, changes: [{ city: 'Mombasa' }, { city: 'Kisumu' }] }
  },
}

describe.each(Object.entries(things))('of two who change one %s', (_, build) => {
  test('the second is told, and the first change stays', async () => {
    const admin = await buildUser(t)
    const { path, name, changes, read = () => load(admin, path) } = await build(admin)
    const { version } = await read(admin)
    const change = (body: object) => t.call('PATCH', path, { token: admin.token, body })
    const first = await change({ ...changes[0], version })
    expect([first.status, first.body.payload.version]).toEqual([200, version + 1])
    const before = await trailOf(t, admin.companyId)
    const second = await change({ ...changes[1], version })
    expect([second.status, second.body.code]).toEqual([400, 'CHANGED_MEANWHILE'])
    expect(second.body.message).toContain(`Somebody changed this meanwhile: ${name}.`)
    expect(await read(admin)).toEqual(first.body.payload)
    expect(await trailOf(t, admin.companyId)).toEqual(before)
    // The second change is made by a client that has seen the first, and so is one that names no version.
    expect((await change({ ...changes[1], version: version + 1 })).body.payload.version).toBe(version + 2)
    expect((await change(changes[0])).body.payload.version).toBe(version + 3)
    expect(Object.keys((await trailOf(t, admin.companyId)).at(-1)?.after ?? {})).not.toContain('version')
  })
})
