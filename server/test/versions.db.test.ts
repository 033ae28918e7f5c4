import { limitPresets } from '@isotherm/contract/device-limits.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { describe, expect, test } from 'vitest'
import { anAlarm } from './alarm-factory.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { buildGroup } from './group-factory.ts'
import { buildGeofence, buildPoint } from './place-factory.ts'
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
  device: async (admin) => {
    const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Van 3' })
    const read = async () => {
      const { timeToBreach, ...device } = (await load(admin, `/devices/${id}`)) as Device
      return device
    }
    const changes: [object, object] = [{ limits: { preset: 'refrigerated' } }, { limits: { temperatureMaxC: 25 } }]
    return { path: `/devices/${id}`, name: 'Van 3', read, changes }
  },
  geofence: async (admin) => {
    const { id, name } = await buildGeofence(t, { companyId: admin.companyId })
    const circle = { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 300 }
    const changes: [object, object] = [{ area: circle }, { area: { ...circle, radiusM: 900 } }]
    const read = async () => {
      const { data } = (await t.call('GET', '/geofence', { token: admin.token })).body.payload
      return data.find((fence: { id: string }) => fence.id === id)
    }
    return { path: `/geofence/${id}`, name, read, changes }
  },
  'point of interest': async (admin) => {
    const { id, name } = await buildPoint(t, { companyId: admin.companyId })
    const both = { notify: { in: true, out: true } }
    return { path: `/point-of-interests/${id}`, name, changes: [both, { notify: { in: false, out: false } }] }
  },
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

  test('who send theirs at the same moment, one wins', async () => {
    const admin = await buildUser(t)
    const { path, changes, read = () => load(admin, path) } = await build(admin)
    const { version } = await read(admin)
    const trail = (await trailOf(t, admin.companyId)).length
    const answers = await Promise.all(
      changes.map((body) => t.call('PATCH', path, { token: admin.token, body: { ...body, version } })),
    )
    const [won, lost] = answers.sort((a, b) => a.status - b.status)
    expect([won?.status, lost?.status, lost?.body.code]).toEqual([200, 400, 'CHANGED_MEANWHILE'])
    expect(await read(admin)).toEqual(won?.body.payload)
    expect((await trailOf(t, admin.companyId)).length).toBe(trail + 1)
  })
})

describe('limits of a device', () => {
  const limited = async () => {
    const admin = await buildUser(t)
    const { id } = await aDevice(t, { companyId: admin.companyId, name: 'Van 3' })
    const seen = (await load(admin, `/devices/${id}`)) as Device
    const change = (body: object) => t.call('PATCH', `/devices/${id}`, { token: admin.token, body })
    const limitsNow = async () => ((await load(admin, `/devices/${id}`)) as Device).limits
    return { admin, id, seen, change, limitsNow }
  }
  const stale = { limits: { preset: 'roomTemperature' } }

  test('given by a group refuse a change made before, which names the device', async () => {
    const { admin, id, seen, change, limitsNow } = await limited()
    const group = await buildGroup(t, admin, { name: 'North', deviceIds: [id] })
    const given = { limits: { preset: 'frozen' }, applyLimits: true }
    expect((await t.call('PATCH', `/groups/${group.id}`, { token: admin.token, body: given })).status).toBe(200)
    const { status, body } = await change({ ...stale, version: seen.version })
    expect([status, body.code, await limitsNow()]).toEqual([400, 'CHANGED_MEANWHILE', limitPresets.frozen])
    expect(body.message).toContain('Somebody changed this meanwhile: Van 3.')
  })

  test('given by a file refuse a change made before, and a file need not name a version', async () => {
    const { admin, seen, change, limitsNow } = await limited()
    await change({ name: 'Van 4' })
    const csv = `imei,temperatureMaxC\n${seen.imei},-5\n`
    const body = { csv, dryRun: false }
    const file = await t.call('POST', '/devices/setup/bulk', { token: admin.token, body })
    expect(file.status, JSON.stringify(file.body)).toBe(200)
    const refused = await change({ ...stale, version: seen.version + 1 })
    expect([refused.body.code, (await limitsNow()).temperatureMaxC]).toEqual(['CHANGED_MEANWHILE', -5])
    expect((await change({ ...stale, version: seen.version + 2 })).status).toBe(200)
  })

  test('are refused whole: neither the name nor a command of the same change is kept', async () => {
    const { admin, id, seen, change } = await limited()
    const { timeToBreach, ...first } = (await change({ limits: { preset: 'frozen' } })).body.payload
    const whole = {
      ...stale,
      name: 'Van 9',
      tag: 'South',
      intervalS: 300,
      visibility: 'private',
      version: seen.version,
    }
    expect((await change(whole)).body.code).toBe('CHANGED_MEANWHILE')
    expect(await load(admin, `/devices/${id}`)).toMatchObject(first)
  })
})
