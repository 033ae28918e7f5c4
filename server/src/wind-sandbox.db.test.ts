import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../test/describe-app.ts'
import { buildCompany, buildUser, only, type TestUser } from '../test/factories.ts'
import { anAlarm } from '../test/alarm-factory.ts'
import { aDevice } from '../test/device-factory.ts'
import { trailOf } from '../test/trail.ts'
import { tellDeviceStates } from './features/webhooks/jobs.ts'
import { applyDueSteps } from './pipeline/notify/lifecycle.ts'
import { tendSamples } from './tend-samples.ts'
import { resumeWinding } from './wind-sandbox.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const [minute, day] = [60_000, 86_400_000]
type Row = Record<string, unknown>
const as = (token: string) => (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', to: string, body?: object) =>
  t.call(method, to, { token, ...(body && { body }) })
const answerOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  status === 200 ? 200 : `${status} ${body.code}`
const wind = (token: string, minutes: unknown) => as(token)('POST', '/sandbox/wind', { minutes })
const play = (token: string, kind: string) => as(token)('POST', '/sandbox/scenarios', { kind })
const clockOf = async (token: string) => (await as(token)('GET', '/sandbox/clock')).body.payload.clock

/** A sandbox with a session, the newest in its devices' history, and who made it. */
async function opened() {
  const company = await buildCompany(t, { name: 'Cold Ltd' })
  const admin = await buildUser(t, { company })
  const made = await as(admin.token)('POST', '/developer/sandbox')
  expect(made.body.message ?? made.status).toBe(200)
  const inside: string = (await as(admin.token)('POST', '/developer/sandbox/open')).body.payload.accessToken
  await t.runJobs()
  const { user, company: own } = (await as(inside)('GET', '/auth/profile')).body.payload
  const devices: { id: string; name: string; imei: string }[] = (await as(inside)('GET', '/devices')).body.payload.data
  const idOf = (name: string) => devices.find((one) => one.name === name)?.id ?? ''
  return { admin, inside, userId: user.id as string, sandboxId: Number(own.id), devices, idOf }
}
type Scene = Awaited<ReturnType<typeof opened>>

const alarmIn = async ({ inside, userId }: Scene, deviceId: string, rule: object, more: object = {}) => {
  const body = { name: 'Watch', rule, deviceIds: [deviceId], recipients: [{ userId, channels: ['app'] }], ...more }
  const made = await as(inside)('POST', '/alarms', body)
  expect(made.body.message ?? made.status).toBe(200)
}
const triggersOf = ({ sandboxId }: Scene) =>
  t.rows<Row & Record<'breach_at' | 'opened_at' | 'normal_at' | 'due_at', Date>>(
    'select * from alarm_triggers where company_id = $1 order by breach_at',
    [sandboxId],
  )
const readingsOf = (deviceId: string, from: Date) =>
  t.rows<{ measured_at: Date; received_at: Date; temperature_centi: number; lat_e7: number | null }>(
    'select * from readings where device_id = $1 and measured_at > $2 order by measured_at',
    [deviceId, from],
  )
const minutesBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / minute

test('a sandbox begins with three devices, and a clock that stands 28 days ago with four days of history before', async () => {
  const { inside, devices, idOf } = await opened()
  expect(devices.map(({ name }) => name).sort()).toEqual(['Sample freezer', 'Sample fridge', 'Sample van'])
  expect(new Set(devices.map(({ imei }) => imei.slice(0, 4)))).toEqual(new Set(['0010', '0011', '0012']))
  const clock = await clockOf(inside)
  expect(Math.round((t.clock.now().getTime() - Date.parse(clock.now)) / day)).toBe(28)
  expect(clock).toMatchObject({ windsTo: null, scenarios: [], windsUntil: t.clock.now().toISOString() })
  for (const name of ['Sample fridge', 'Sample freezer', 'Sample van']) {
    const readings = await readingsOf(idOf(name), new Date(0))
    expect(readings).toHaveLength(4 * 288)
    expect(readings.at(-1)?.measured_at.getTime()).toBeLessThanOrEqual(Date.parse(clock.now))
  }
  const van = (await as(inside)('GET', `/devices/${idOf('Sample van')}`)).body.payload
  expect(van).toMatchObject({ status: 'live', latest: { position: expect.anything() } })
  // Time passes outside: it stands, and what runs by the real time leaves its devices alone.
  t.clock.advance(2 * 60 * minute)
  await tendSamples.run(t.services, {})
  expect((await clockOf(inside)).now).toBe(clock.now)
  expect((await as(inside)('GET', `/devices/${idOf('Sample van')}`)).body.payload.status).toBe('live')
})

test('wound forward, its devices have sent what they measured meanwhile, received at the wound times', async () => {
  const { inside, idOf, sandboxId } = await opened()
  const before = new Date((await clockOf(inside)).now)
  const answer = await wind(inside, 60)
  expect(answer.body.payload.windsTo).toBe(new Date(before.getTime() + 60 * minute).toISOString())
  expect(answerOf(await wind(inside, 60))).toBe('400 SANDBOX_WINDING')
  expect(answerOf(await play(inside, 'doorOpen'))).toBe('400 SANDBOX_WINDING')
  await t.runJobs()
  const clock = await clockOf(inside)
  expect(clock).toMatchObject({ now: new Date(before.getTime() + 60 * minute).toISOString(), windsTo: null })
  const readings = await readingsOf(idOf('Sample freezer'), before)
  expect(readings).toHaveLength(12)
  for (const { measured_at, received_at } of readings)
    expect(minutesBetween(measured_at, received_at)).toBeLessThanOrEqual(5)
  const device = (await as(inside)('GET', `/devices/${idOf('Sample freezer')}`)).body.payload
  expect(device).toMatchObject({ status: 'live', latest: { measuredAt: readings.at(-1)?.measured_at.toISOString() } })
  // The trail is of the real time.
  const [entry] = (await trailOf(t, sandboxId)).filter(({ action }) => action === 'sandbox.wound')
  expect(entry).toMatchObject({ after: { minutes: 60 } })
  const [row] = await t.rows<{ at: Date }>('select max(at) as at from audit_log where company_id = $1', [sandboxId])
  expect(row?.at).toEqual(t.clock.now())
})
