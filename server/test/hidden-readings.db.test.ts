import { limits } from '@isotherm/contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant } from '../src/platform/db/transaction.ts'
import { loadTowns } from '../src/platform/gazetteer/nearest-town.ts'
import { describeApp, describePipeline } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildCompany, buildUser } from './factories.ts'
import { buildGroup } from './group-factory.ts'

/*
 * One rule says how long after the end of its licence a device's readings are shown. Each of these calls is asked twice about
 * the same device, under two lengths of that time: an answer that stays the same does not follow the rule.
 */

const minute = 60_000
const hour = 60 * minute
const changeable = limits as { hiddenAfterLicenceDays: number }
const usual = limits.hiddenAfterLicenceDays

interface Scene {
  ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown>
  deviceId: number
  groupId: string
  period: { from: string; to: string }
  query: URLSearchParams
}
let scene: Scene

const calls: Record<string, (scene: Scene) => Promise<unknown>> = {
  'list of devices': ({ ask }) => ask('GET', '/devices'),
  device: ({ ask, deviceId }) => ask('GET', `/devices/${deviceId}`),
  history: ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/history?${query}`),
  chart: ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/history/chart?${query}`),
  path: ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/history/map-points?${query}`),
  map: ({ ask }) => ask('GET', '/devices/positions'),
  statistics: ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/stats?${query}`),
  'list of excursions': ({ ask, query }) => ask('GET', `/excursions?${query}`),
  'excursions of the device': ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/excursion?${query}`),
  'figures of excursions': ({ ask, deviceId, query }) => ask('GET', `/devices/${deviceId}/excursion/summary?${query}`),
  'devices of the group': ({ ask, groupId }) => ask('GET', `/groups/${groupId}/devices`),
  'chart of the group': ({ ask, groupId, query }) => ask('GET', `/groups/${groupId}/chart?${query}`),
  'statistics of the group': ({ ask, groupId, period }) => ask('POST', `/group/temperature/${groupId}`, period),
  'back-test': ({ ask, deviceId }) =>
    ask('POST', '/alarms/backtest', {
      rule: { kind: 'value', temperatureMaxC: 8, delayMinutes: 0 },
      deviceIds: [String(deviceId)],
      days: 1,
    }),
}

const t = describeApp()
const pipeline = describePipeline(t)
beforeAll(async () => {
  // Else the first answer may lack the names of places.
  await loadTowns()
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const device = await aDevice(t, { ...company, name: 'Lapsed' })
  const group = await buildGroup(t, company, { deviceIds: [device.id] })
  const ask: Scene['ask'] = async (method, path, body) => {
    const answer = await t.call(method, path, { token: admin.token, ...(body !== undefined && { body }) })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body.payload
  }
  await ask('PATCH', `/devices/${device.id}`, { limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
  t.clock.advance(20 * hour)
  const now = t.clock.now().getTime()
  await pipeline.send(
    device,
    Array.from({ length: 20 * 6 }, (_, index) => ({
      at: new Date(now - (20 * 6 - 1 - index) * 10 * minute),
      temperatureC: index % 60 > 50 ? 12 + index / 100 : 5 + index / 100,
      lat: 6 + index / 1000,
      lon: 3,
    })),
  )
  await inTenant(t.pool, company.companyId, ({ tx }) =>
    tx
      .updateTable('devices')
      .set({ licence_until: new Date(now - 34 * hour) })
      .where('id', '=', device.id)
      .execute(),
  )
  const period = { from: new Date(now - 18 * hour).toISOString(), to: new Date(now).toISOString() }
  scene = { ask, deviceId: device.id, groupId: group.id, period, query: new URLSearchParams(period) }
})

afterAll(() => (changeable.hiddenAfterLicenceDays = usual))

const underDays = async (days: number, ask: (scene: Scene) => Promise<unknown>) => {
  changeable.hiddenAfterLicenceDays = days
  return ask(scene)
}

test.each(Object.entries(calls))('the answer of %s follows the rule of hidden readings', async (_name, ask) => {
  const [shown, again, hidden] = [await underDays(30, ask), await underDays(30, ask), await underDays(1, ask)]
  expect(again).toEqual(shown)
  expect(hidden).not.toEqual(shown)
})
