import { expect, test } from 'vitest'
import { anAlarm } from './alarm-factory.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { aLicence } from './licence-factory.ts'
import { buildGeofence } from './place-factory.ts'
import { aRota } from './rota-factory.ts'
import { everyCall, pathOf } from './samples.ts'
import { buildScheduledReport } from './scheduled-report-factory.ts'
import { buildHardware } from './stock.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 0 } })

const onDevice = async (user: TestUser) => ({ deviceIds: [String((await aDevice(t, user)).id)] })
const value = { kind: 'value', temperatureMaxC: 8 }
const fence = async (user: TestUser) => {
  const { id } = await buildGeofence(t, user)
  return { kind: 'fence', direction: 'in', geofenceIds: [String(id)] }
}
const more = [{ email: 'one.more@example.test' }]
const newAlarm = async (user: TestUser, rule: object) => ({
  ...{ name: 'Too warm', rule, recipients: more },
  ...(await onDevice(user)),
})
interface Addition {
  id?: string
  body: object
  code?: string
}

/** A request that would add one more, by the name of its call. */
const additions: Record<string, (user: TestUser) => Promise<Addition>> = {
  'users.invite': async () => ({ body: { fullname: 'Esi', email: 'one.more@people.test', role: 'staff' } }),
  'devices.setup': async () => ({ body: { imei: (await buildHardware(t)).imei, name: 'One more' } }),
  'deviceLife.restore': async (user) => {
    const { id, imei } = await aDevice(t, user)
    await t.call('PUT', `/devices/${id}/decommission`, { token: user.token, body: {} })
    return { id: String(id), body: { imei }, code: 'LICENCE_NEEDED' }
  },
  'alarms.add': async (user) => ({ body: await newAlarm(user, value) }),
  'alarms.addValue': async (user) => ({ body: await newAlarm(user, value) }),
  'alarms.addFence': async (user) => ({ body: await newAlarm(user, await fence(user)) }),
  'alarms.change': async (user) => ({
    id: (await anAlarm(t, user)).id,
    body: { recipients: more, ...(await onDevice(user)) },
  }),
  'alarms.changeFence': async (user) => {
    const rule = await fence(user)
    return { id: (await anAlarm(t, user, { rule })).id, body: await newAlarm(user, rule) }
  },
  'reports.add': async (user) => ({
    body: { name: 'Daily', cadence: 'daily', timezone: 'UTC', recipients: more, ...(await onDevice(user)) },
  }),
  'reports.change': async (user) => ({
    id: String((await buildScheduledReport(t, user)).id),
    body: { recipients: more },
  }),
  'dispatchSettings.change': async (user) => {
    const { body } = await t.call('GET', '/dispatch/settings', { token: user.token })
    const { currencyInUse: _, ...settings } = body.payload
    const another = await buildUser(t, { company: user })
    const recipients = { late: [{ userId: another.id, channels: ['mail'] }], outOfRange: [] }
    return { body: { ...settings, recipients } }
  },
  'onCall.changeRota': async (user) => {
    const { id, people } = await aRota(t, user)
    await anAlarm(t, user, { recipients: [{ rotaId: id, channels: ['mail'] }] })
    const another = await buildUser(t, { company: user })
    return {
      id,
      body: { name: 'Nights', people: [...people, another.id], weekday: 1, time: '08:00', startsOn: '2026-01-05' },
    }
  },
}

const counting = everyCall.filter(({ call }) => !['other', undefined].includes(call.begins ?? call.counts))

test.each(counting)('$name adds nothing beyond a full plan', async ({ name, call }) => {
  const user = await buildUser(t)
  const ask = additions[name]
  if (!ask) throw new Error(`${name} counts: say how to add one more by it`)
  const { id = '', body, code = 'LIMIT_REACHED' } = await ask(user)
  const send = () => t.call(call.method, pathOf(call, { id }), { token: user.token, body })
  await aLicence(t, user.companyId, { devices: 1, users: 1, emails: 0, phones: 0 })
  const place = await buildHardware(t)
  await t.call('POST', '/devices/setup', { token: user.token, body: { imei: place.imei, name: 'The last' } })
  const refused = await send()
  expect([refused.status, refused.body.code], JSON.stringify(refused.body)).toEqual([400, code])
  await aLicence(t, user.companyId, { devices: 1 })
  expect((await send()).status).toBe(200)
})
