import { expect } from 'vitest'
import { deliver, type OutboundMessage } from '../src/pipeline/notify/deliver.ts'
import { dispatch } from '../src/pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../src/pipeline/notify/lifecycle.ts'
import { writeAudit } from '../src/platform/audit/audit.ts'
import { inTenant } from '../src/platform/db/transaction.ts'
import { aDevice } from './device-factory.ts'
import { aCalibration } from './export-factory.ts'
import { buildCompany, buildUser, only, setMatrix, type TestUser } from './factories.ts'
import type { TestApp } from './harness.ts'
import { buildGeofence } from './place-factory.ts'
import { buildSession } from './session-factory.ts'
import type { TestPipeline } from './test-pipeline.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Secrets that only an Admin may read: names of now and of before, and what only this device measures and where. */
export const canary = { name: 'CANARY-NOW', former: 'CANARY-OLD', lot: 'LOT-77', at: { lat: -47.12345, lon: 51.98712 } }
const temperatureC = -71.37

/** The facts about the private device that a text discloses. */
export function toldBy(text: string, imei: string): string[] {
  const needles: [string, RegExp][] = [
    ['name', new RegExp(canary.name)],
    ['former name', new RegExp(canary.former)],
    ['imei', new RegExp(imei)],
    ['temperature', /[-\u2212]71[.,]\d|-713\d\b/],
    ['position', /[-\u2212]47[.,]123|51[.,]987/],
  ]
  return needles.flatMap(([name, needle]) => (needle.test(text) ? [name] : []))
}

export interface PrivateScene {
  admin: TestUser
  manager: TestUser
  staff: TestUser
  open: { id: number; imei: string; secret: string }
  hidden: { id: number; imei: string; secret: string }
  groupId: string
  recordIds: { group: string; ofOpen: string; ofHidden: string }
  /** Links to files that the Manager was given while the device was public. */
  links: string[]
  /** The ids of reports that the Manager asked for then. */
  asked: { device: string; group: string; record: string }
  alarmId: string
  reportId: string
  /** Sent since the device became private. */
  deliveries: OutboundMessage[]
  mailsBefore: number
}

const senderOf = (sent: OutboundMessage[]) => ({
  send: async (delivery: OutboundMessage) => {
    sent.push(delivery)
    return { ok: true, provider: 'test', providerId: null } as const
  },
})

/** Lets time pass, writes who hears of what, and sends it. */
export async function notifyRounds(t: TestApp, sent: OutboundMessage[]) {
  const sender = senderOf(sent)
  const tools = {
    pool: t.pool,
    bus: t.services.bus,
    now: () => t.clock.now(),
    nearestTownName: (lat: number, lon: number) => `${lat}, ${lon}`,
    publicUrl: 'https://cold.test',
    log: t.services.log,
    senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
  }
  await applyDueSteps(t.pool, t.clock.now())
  while ((await dispatch(tools)) > 0);
  while ((await deliver(tools)) > 0);
}

/** A reading of each device now, the private one's unlike any other. The scene's alarm fires above 50 % humidity. */
export async function measure(
  t: TestApp,
  pipeline: TestPipeline,
  { open, hidden }: Pick<PrivateScene, 'open' | 'hidden'>,
  humidityPct: number,
) {
  const at = t.clock.now()
  await pipeline.send(hidden, [{ at, temperatureC, humidityPct, ...canary.at }])
  await pipeline.send(open, [{ at, temperatureC: 5, humidityPct, lat: 6.5, lon: 3.4 }])
}

/**
 * A company whose Manager and Staff have every permission, and a device that took part in everything while all could see it. Then it
 * was renamed and made private, and everything went on.
 */
export async function privateScene(t: TestApp, pipeline: TestPipeline): Promise<PrivateScene> {
  const company = await buildCompany(t)
  const everything = only(
    ...(['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'] as const).flatMap((module) =>
      (['view', 'addOrEdit', 'export'] as const).map((action) => `${module}.${action}` as const),
    ),
  )
  for (const role of ['manager', 'staff'] as const) await setMatrix(t, company.companyId, role, everything)
  const admin = await buildUser(t, { company })
  const manager = await buildUser(t, { company, role: 'manager' })
  const staff = await buildUser(t, { company, role: 'staff' })
  const given = {
    companyId: company.companyId,
    validFrom: new Date(t.clock.now().getTime() - 60 * day),
    intervalS: 1800,
  }
  const open = await aDevice(t, { ...given, name: 'Open fridge' })
  const hidden = await aDevice(t, { ...given, name: canary.former })
  const both = [String(open.id), String(hidden.id)]

  async function ask(user: TestUser, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
    const answer = await t.call(method, path, { token: user.token, ...(body && { body }) })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body.payload
  }
  const today = Math.floor(t.clock.now().getTime() / day) * day
  for (const device of [open, hidden]) {
    await ask(admin, 'PATCH', `/devices/${device.id}`, { limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
    const isHidden = device === hidden
    const place = isHidden ? canary.at : { lat: 6.5, lon: 3.4 }
    const values = { temperatureC: isHidden ? temperatureC : 5, humidityPct: 40, ...place }
    const yesterday = Array.from({ length: 48 }, (_, n) => ({ at: new Date(today - day + n * 30 * minute), ...values }))
    const lastHours = [90, 60, 30].map((ago) => ({ at: new Date(t.clock.now().getTime() - ago * minute), ...values }))
    await pipeline.send(device, [...yesterday, ...lastHours.filter(({ at }) => at.getTime() >= today)])
  }
  await buildSession(t, { companyId: company.companyId, deviceId: hidden.id })
  for (const { id } of [open, hidden]) await aCalibration(t, { companyId: company.companyId, deviceId: id })
  await buildGeofence(t, {
    companyId: company.companyId,
    area: { kind: 'circle', centre: { lat: -47.12, lon: 51.99 }, radiusM: 900 },
  })

  const group = await ask(admin, 'POST', '/groups', { name: 'Mixed' })
  for (const id of both) await ask(admin, 'PATCH', `/groups/${group.id}/devices/${id}`, {})
  // An entry of a group as earlier versions wrote it: names without ids.
  const about = { actor: { kind: 'system', name: 'test' }, origin: { address: '', agent: '', requestId: '' } } as const
  await inTenant(t.pool, company.companyId, ({ tx }) =>
    writeAudit(tx, company.companyId, { ...about, at: t.clock.now() }, [
      {
        action: 'groups.deviceAdded',
        target: { kind: 'group', id: group.id, name: 'Mixed' },
        after: { device: canary.former },
      },
      {
        action: 'groups.devicesRemoved',
        target: { kind: 'group', id: group.id, name: 'Mixed' },
        before: { devices: [canary.former, 'Open fridge'] },
      },
    ]),
  )
  const recipients = [
    ...[manager, staff, admin].map(({ id }) => ({ userId: id, channels: ['app', 'mail'] })),
    { email: 'raw@manager.test' },
    { webhook: 'https://hooks.example.test/PATH-OF-THE-HOOK' },
  ]
  const alarm = await ask(manager, 'POST', '/alarms', {
    name: 'Always',
    severity: 'critical',
    groupIds: [group.id],
    recipients,
    notifyNormal: true,
    rule: { kind: 'value', humidityMaxPct: 50 },
  })
  const start = new Date(t.clock.now().getTime() - 2 * 60 * minute).toISOString()
  const budget = { neverBelowC: -10 }
  const ofHidden = await ask(admin, 'POST', '/enterprise/record', {
    ...{ name: 'Of the hidden', lot: canary.lot, deviceIds: [both[1]], startAt: start, budget },
  })
  const ofOpen = await ask(manager, 'POST', '/enterprise/record', {
    ...{
      name: 'Of the open',
      lot: canary.lot,
      deviceIds: [both[0]],
      startAt: new Date(Date.parse(start) + 1).toISOString(),
    },
    budget,
  })
  const ofGroup = await ask(manager, 'POST', `/grouprecords/${group.id}`, {
    name: 'Of the group',
    startAt: start,
    budget,
  })
  await measure(t, pipeline, { open, hidden }, 60)
  await notifyRounds(t, [])

  const period = { from: start, to: t.clock.now().toISOString() }
  const device = await ask(manager, 'POST', `/devices/${hidden.id}/history/report`, { ...period, format: 'csv' })
  const asked = await ask(manager, 'POST', '/groups/download-report', { groupId: group.id, ...period, format: 'csv' })
  const ofRecord = await ask(manager, 'POST', `/enterprise/record/${ofGroup.id}/report`, {})
  const report = await ask(manager, 'POST', '/report', {
    ...{ name: 'Daily', cadence: 'daily', timezone: 'UTC', groupIds: [group.id], formats: ['csv'] },
    recipients: [{ userId: manager.id }, { email: 'boss@manager.test' }],
  })
  await ask(manager, 'POST', `/report/${report.id}/run`, {})
  await t.runJobs()
  const { data: runs } = await ask(manager, 'GET', `/report/${report.id}/runs`)
  const links: string[] = runs.flatMap(({ files }: { files: { url: string }[] }) => files.map(({ url }) => url))

  await ask(admin, 'PATCH', `/devices/${hidden.id}`, { name: canary.name })
  await ask(admin, 'PATCH', `/devices/${hidden.id}`, { visibility: 'private' })
  const mailsBefore = (await t.mails()).length
  // An Admin saves what a Manager made, with the same recipients.
  await ask(admin, 'PATCH', `/alarms/${alarm.id}`, { name: 'Always on', recipients })
  await ask(admin, 'PATCH', `/report/${report.id}`, { name: 'Each day', formats: ['csv', 'pdf'] })
  t.clock.advance(31 * minute)
  const deliveries: OutboundMessage[] = []
  await measure(t, pipeline, { open, hidden }, 40)
  await notifyRounds(t, deliveries)
  await ask(admin, 'POST', '/enterprise/record', { name: 'Of the hidden, again', deviceIds: [both[1]] })
  t.clock.advance(31 * minute)
  await measure(t, pipeline, { open, hidden }, 60)
  await notifyRounds(t, deliveries)
  const later = { from: start, to: t.clock.now().toISOString() }
  await ask(admin, 'POST', '/groups/download-report', { groupId: group.id, ...later, format: 'csv' })
  await ask(admin, 'POST', `/enterprise/record/${ofGroup.id}/report`, {})
  await ask(admin, 'POST', `/report/${report.id}/run`, {})
  await t.runJobs()
  return {
    ...{ admin, manager, staff, open, hidden, links, deliveries, mailsBefore },
    groupId: group.id,
    recordIds: { group: ofGroup.id, ofOpen: ofOpen.id, ofHidden: ofHidden.id },
    asked: { device: device.id, group: asked.id, record: ofRecord.id },
    alarmId: alarm.id,
    reportId: report.id,
  }
}
