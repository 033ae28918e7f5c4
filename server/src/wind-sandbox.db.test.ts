import { setTimeout as sleep } from 'node:timers/promises'
import { openReceiver } from '@isotherm/simulator/webhooks/receiver.ts'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test, vi } from 'vitest'
import { anAlarm } from '../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../test/describe-app.ts'
import { aDevice } from '../test/device-factory.ts'
import { buildCompany, buildUser, only, type TestUser } from '../test/factories.ts'
import { trailOf } from '../test/trail.ts'
import { sendAllDue } from '../test/webhook-factory.ts'
import { numberEvents } from './core/events/number-queries.ts'
import { tellDeviceStates } from './features/webhooks/jobs.ts'
import { applyDueSteps } from './pipeline/notify/lifecycle.ts'
import { asLogin, asPipeline } from './platform/db/transaction.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import type { Job } from './platform/services.ts'
import { tendSamples } from './tend-samples.ts'
import { resumeWinding, windSandbox } from './wind-sandbox.ts'

// Hours are wound in steps of five minutes, each of which asks the database many things.
vi.setConfig({ testTimeout: 300_000 })

const t = describeApp({ webhookAllowPrivate: true })
const pipeline = describePipeline(t)

const [minute, day] = [60_000, 86_400_000]
// By day the door of the sample fridge is opened, and at times left ajar, which is an alarm of its own.
beforeAll(() => t.clock.set(new Date(Math.floor(t.clock.now().getTime() / day) * day - 120 * minute)))
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
  expect(van.status).toBe('live')
  expect((await readingsOf(idOf('Sample van'), new Date(0))).some(({ lat_e7 }) => lat_e7 !== null)).toBe(true)
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

/** The feed, numbered as the sender of webhooks does it. */
const eventsOf = async ({ inside: token, sandboxId }: Scene) => {
  await asPipeline(t.pool, ({ tx }) => numberEvents(tx, [sandboxId], 100, t.clock.now()))
  return (await t.call('GET', '/events', { token, query: { after: '0' } })).body.payload.data as {
    type: string
    timestamp: string
    data: Row
  }[]
}

test('a door left open opens an alarm and resolves it by the readings, with their times; events tell it', async () => {
  const scene = await opened()
  const { inside, idOf } = scene
  await eventsOf(scene)
  await alarmIn(scene, idOf('Sample fridge'), { kind: 'value', temperatureMaxC: 11, delayMinutes: 10 })
  const before = new Date((await clockOf(inside)).now)
  const played = await play(inside, 'doorOpen')
  expect(played.body.payload.scenarios).toEqual([{ kind: 'doorOpen', beganAt: before.toISOString() }])
  await t.runJobs()
  expect(minutesBetween(before, new Date((await clockOf(inside)).now))).toBe(120)
  const [trigger, ...others] = await triggersOf(scene)
  expect(others).toEqual([])
  if (!trigger) throw new Error('no alarm')
  expect(minutesBetween(before, trigger.breach_at)).toBeGreaterThan(3)
  expect(minutesBetween(trigger.breach_at, trigger.opened_at)).toBe(10)
  expect(minutesBetween(before, trigger.normal_at)).toBeGreaterThan(40)
  expect(minutesBetween(before, trigger.normal_at)).toBeLessThan(70)
  const told = await eventsOf(scene)
  const alarms = told.filter(({ type }) => type.startsWith('alarm.'))
  expect(alarms.map(({ type }) => type)).toEqual(['alarm.opened', 'alarm.normal'])
  for (const [index, at] of [trigger.opened_at, trigger.normal_at].entries()) {
    const late = minutesBetween(at, new Date(alarms[index]?.timestamp ?? 0))
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThanOrEqual(5)
  }
  const list = (await as(inside)('GET', '/alarm-triggers')).body.payload.data
  expect(list).toHaveLength(1)
})

test('webhooks are delivered while the clock is wound, each within its step: the time in them is that of the sandbox, they are signed by the real one', async () => {
  const scene = await opened()
  const { inside, idOf, sandboxId } = scene
  const receiver = await openReceiver()
  const endpoint = { url: `${receiver.url}/hook`, events: ['alarm.opened', 'alarm.normal'] }
  const made = await as(inside)('POST', '/developer/webhooks', endpoint)
  expect(made.body.message ?? made.status).toBe(200)
  await alarmIn(scene, idOf('Sample fridge'), { kind: 'value', temperatureMaxC: 11, delayMinutes: 10 })
  // The sender runs beside the winding: here it has its turn in each step.
  const { sweepSandbox } = t.services
  const arrivals: { at: Date; winds_to: Date | null; count: number }[] = []
  t.services.sweepSandbox = async (companyId) => {
    await sweepSandbox?.(companyId)
    const count = await sendAllDue(t.services)
    const [clock] = await t.rows<{ at: Date; winds_to: Date | null }>(
      'select at, winds_to from sandbox_clocks where company_id = $1',
      [companyId],
    )
    if (clock && count > 0) arrivals.push({ ...clock, count })
  }
  try {
    await play(inside, 'doorOpen')
    await t.runJobs()
  } finally {
    t.services.sweepSandbox = sweepSandbox
    await receiver.close()
  }
  const webhook = new Webhook(made.body.payload.secret)
  const told = receiver.received.map(
    ({ body, headers }) =>
      webhook.verify(body, headers as Record<string, string>) as { type: string; timestamp: string },
  )
  expect(told.map(({ type }) => type)).toEqual(['alarm.opened', 'alarm.normal'])
  const [trigger] = await triggersOf(scene)
  if (!trigger) throw new Error('no alarm')
  for (const [index, at] of [trigger.opened_at, trigger.normal_at].entries()) {
    const [then, arrived] = [new Date(told[index]?.timestamp ?? 0), arrivals[index]]
    expect(minutesBetween(at, then)).toBeGreaterThanOrEqual(0)
    expect(minutesBetween(at, then)).toBeLessThanOrEqual(5)
    expect(arrived).toMatchObject({ count: 1, winds_to: expect.any(Date) })
    expect(minutesBetween(then, arrived?.at ?? then)).toBeLessThanOrEqual(5)
  }
  const messages = await t.rows('select state, attempts, created_at from webhook_deliveries where company_id = $1', [
    sandboxId,
  ])
  const sent = { state: 'delivered', attempts: 1, created_at: t.clock.now() }
  expect(messages).toEqual([sent, sent])
})

test('a power cut makes the fridge silent, which an alarm notices; the late readings come in a batch', async () => {
  const scene = await opened()
  const { inside, idOf } = scene
  await eventsOf(scene)
  await alarmIn(scene, idOf('Sample fridge'), { kind: 'noData', afterMinutes: 30 })
  const before = new Date((await clockOf(inside)).now)
  await tellDeviceStates.run(t.services, {})
  await play(inside, 'powerCut')
  await t.runJobs()
  const readings = await readingsOf(idOf('Sample fridge'), before)
  expect(readings).toHaveLength(48)
  const kept = readings.filter(({ measured_at }) => minutesBetween(before, measured_at) < 120)
  expect(new Set(kept.map(({ received_at }) => minutesBetween(before, received_at)))).toEqual(new Set([120]))
  const [trigger] = await triggersOf(scene)
  if (!trigger) throw new Error('no alarm')
  expect(trigger.condition).toBe('noData')
  expect(minutesBetween(before, trigger.opened_at)).toBeGreaterThan(24)
  expect(minutesBetween(before, trigger.opened_at)).toBeLessThan(31)
  expect(trigger.normal_at).not.toBeNull()
  const told = (await eventsOf(scene)).map(({ type }) => type)
  expect(told).toEqual(expect.arrayContaining(['alarm.opened', 'device.offline', 'device.online', 'alarm.normal']))
})

test('a freezer fails for hours, the van drives a route, and nothing else happens to the other devices', async () => {
  const { inside, idOf } = await opened()
  const before = new Date((await clockOf(inside)).now)
  await play(inside, 'vanRoute')
  await t.runJobs()
  const way = (await readingsOf(idOf('Sample van'), before)).filter(({ lat_e7 }) => lat_e7 !== null)
  const lats = way.map(({ lat_e7 }) => (lat_e7 ?? 0) / 1e7)
  expect(way.length).toBeGreaterThanOrEqual(12)
  expect(Math.max(...lats) - Math.min(...lats)).toBeGreaterThan(0.03)
  const then = new Date((await clockOf(inside)).now)
  await play(inside, 'freezerFails')
  await t.runJobs()
  const warm = (await readingsOf(idOf('Sample freezer'), then)).map(({ temperature_centi }) => temperature_centi)
  expect(Math.max(...warm)).toBeGreaterThan(-800)
  expect(warm.at(-1)).toBeLessThan(-1_500)
  const cold = (await readingsOf(idOf('Sample freezer'), before)).filter(({ measured_at }) => measured_at <= then)
  expect(Math.max(...cold.map(({ temperature_centi }) => temperature_centi))).toBeLessThan(-1_500)
})

test('reminders, escalations and snoozes go by the wound clock, and not by the real time', async () => {
  const scene = await opened()
  const { inside, idOf, sandboxId, userId } = scene
  await eventsOf(scene)
  await alarmIn(
    scene,
    idOf('Sample freezer'),
    { kind: 'value', temperatureMaxC: -60 },
    {
      ...{ reminderMinutes: 60, escalateMinutes: 90, escalation: [{ userId, channels: ['app'] }] },
    },
  )
  await wind(inside, 10)
  await t.runJobs()
  const kinds = async () =>
    (
      await t.rows<{ kind: string }>('select kind from alarm_events where company_id = $1 order by id', [sandboxId])
    ).map(({ kind }) => kind)
  expect(await kinds()).toEqual(['opened'])
  // The real time, by which the steps of other companies are taken, is weeks ahead of it.
  await applyDueSteps(t.pool, t.clock.now())
  await pipeline.sweepAlarms()
  expect(await kinds()).toEqual(['opened'])
  await wind(inside, 100)
  await t.runJobs()
  expect(await kinds()).toEqual(['opened', 'reminder', 'escalated'])
  const { id } = (await as(inside)('GET', '/alarms')).body.payload.data[0]
  const until = new Date(Date.parse((await clockOf(inside)).now) + 60 * minute).toISOString()
  expect(answerOf(await as(inside)('PATCH', `/alarms/${id}/snooze`, { until }))).toBe(200)
  await applyDueSteps(t.pool, t.clock.now())
  expect((await as(inside)('GET', `/alarms/${id}`)).body.payload.snoozedUntil).toBe(until)
  await wind(inside, 120)
  await t.runJobs()
  expect((await as(inside)('GET', `/alarms/${id}`)).body.payload.snoozedUntil).toBeNull()
})

test('it winds forward only, a week at most at once, and never past the real time', async () => {
  const { inside, sandboxId } = await opened()
  for (const minutes of [0, -60, 10_081, 1.5, 1e12, '60', null])
    expect(answerOf(await wind(inside, minutes))).toBe('422 VALIDATION')
  expect(answerOf(await play(inside, 'fire'))).toBe('422 VALIDATION')
  expect(answerOf(await as(inside)('POST', '/sandbox/wind', { minutes: 5, companyId: 1 }))).toBe('422 VALIDATION')
  const nearly = new Date(t.clock.now().getTime() - 20 * minute)
  await t.change(sandboxId, 'update sandbox_clocks set at = $2 where company_id = $1', [sandboxId, nearly])
  const late = await wind(inside, 21)
  expect(answerOf(late)).toBe('400 SANDBOX_CLOCK_END')
  expect(late.body.message).toContain('20 min are left')
})

test('of ten at once one winds', async () => {
  const { inside } = await opened()
  const before = new Date((await clockOf(inside)).now)
  const answers = (await Promise.all(Array.from({ length: 10 }, () => wind(inside, 30)))).map(answerOf)
  expect(answers.filter((answer) => answer === 200)).toHaveLength(1)
  expect(new Set(answers)).toEqual(new Set([200, '400 SANDBOX_WINDING']))
  await t.runJobs()
  expect(minutesBetween(before, new Date((await clockOf(inside)).now))).toBe(30)
})

test('a key of the sandbox with the permission may wind; one without, and other companies, may not', async () => {
  const { inside, admin, sandboxId } = await opened()
  const keyOf = async (...permissions: Parameters<typeof only>) => {
    const body = { keys: [{ name: 'Program', permissions: only(...permissions) }] }
    return (await as(inside)('PUT', '/enterprise/developer', body)).body.payload.keys[0].secret as string
  }
  const key = await keyOf('devices.view', 'devices.addOrEdit')
  // Keys go by the real time, and so end when they say.
  const [made] = await t.rows('select created_at from api_keys where company_id = $1', [sandboxId])
  expect(made).toEqual({ created_at: t.clock.now() })
  expect(answerOf(await wind(key, 5))).toBe(200)
  await t.runJobs()
  expect((await clockOf(key)).now).toBe((await clockOf(inside)).now)
  expect(answerOf(await wind(await keyOf('devices.view'), 5))).toBe('403 FORBIDDEN')
  const others: TestUser[] = [admin, await buildUser(t)]
  for (const { token } of others) {
    expect(await clockOf(token)).toBeNull()
    expect(answerOf(await wind(token, 5))).toBe('400 SANDBOX_NONE')
    expect(answerOf(await play(token, 'doorOpen'))).toBe('400 SANDBOX_NONE')
  }
  const staff = await buildUser(t, { company: { companyId: admin.companyId }, role: 'staff' })
  expect(answerOf(await wind(staff.token, 5))).toBe('403 FORBIDDEN')
})

test('a sandbox that ends while its clock is wound stands at once; another one begins anew', async () => {
  const { inside, admin, sandboxId } = await opened()
  await wind(inside, 7 * 1_440)
  expect(answerOf(await as(admin.token)('DELETE', '/developer/sandbox'))).toBe(200)
  await t.runJobs()
  expect(answerOf(await wind(inside, 5))).toBe('401 UNAUTHENTICATED')
  const [clock] = await t.rows('select at = began_at as stood, winds_to from sandbox_clocks where company_id = $1', [
    sandboxId,
  ])
  expect(clock).toEqual({ stood: true, winds_to: null })
  expect(await t.rows('select from devices where company_id = $1', [sandboxId])).toEqual([])
  expect(answerOf(await as(admin.token)('POST', '/developer/sandbox'))).toBe(200)
})

test('sandboxes that wind for days keep no other one waiting', async () => {
  const scenes = [await opened(), await opened(), await opened()]
  const [first, second, third] = scenes as [Scene, Scene, Scene]
  const now = async ({ inside }: Scene) => Date.parse((await clockOf(inside)).now)
  const begun = await Promise.all(scenes.map(now))
  const url = (t.pool.options as { connectionString: string }).connectionString
  const jobs = await startJobs(url, t.services, [windSandbox as unknown as Job<object>])
  const begin = ({ sandboxId }: Scene) =>
    asLogin(t.pool, ({ client }) => jobs.enqueue(client, windSandbox, { companyId: sandboxId }))
  for (const scene of [first, second]) {
    await wind(scene.inside, 7 * 1_440)
    await begin(scene)
  }
  const haveBegun = async () => (await now(first)) > (begun[0] ?? 0) && (await now(second)) > (begun[1] ?? 0)
  await expect.poll(haveBegun, { timeout: 60_000 }).toBe(true)
  await wind(third.inside, 60)
  await begin(third)
  await expect.poll(async () => (await clockOf(third.inside)).windsTo, { timeout: 120_000 }).toBeNull()
  const gone = (await Promise.all(scenes.map(now))).map((at, n) => (at - (begun[n] ?? 0)) / minute)
  for (const { sandboxId } of scenes)
    await t.change(sandboxId, 'update sandbox_clocks set winds_to = null where company_id = $1', [sandboxId])
  await jobs.stop()
  // The others had their turns meanwhile, and are not at their ends.
  expect(gone).toEqual([expect.any(Number), expect.any(Number), 60])
  for (const minutes of gone.slice(0, 2)) {
    expect(minutes).toBeGreaterThan(0)
    expect(minutes).toBeLessThan(7 * 1_440)
  }
})

test('winding that was given up goes on within a minute', async () => {
  const { inside, sandboxId } = await opened()
  const before = new Date((await clockOf(inside)).now)
  await t.change(sandboxId, "update sandbox_clocks set winds_to = at + interval '30 minutes' where company_id = $1", [
    sandboxId,
  ])
  await resumeWinding.run(t.services, {})
  await t.runJobs()
  expect(minutesBetween(before, new Date((await clockOf(inside)).now))).toBe(30)
})

/** Where `meanwhile` runs within each step: after its readings were sent, before alarms are judged. */
async function withinSteps(meanwhile: () => Promise<void>, work: () => Promise<void>) {
  const { sweepSandbox } = t.services
  t.services.sweepSandbox = async (companyId) => {
    await meanwhile()
    await sweepSandbox?.(companyId)
  }
  try {
    await work()
  } finally {
    t.services.sweepSandbox = sweepSandbox
  }
}
const windsTo = (sandboxId: number, minutes: number) =>
  t.change(sandboxId, "update sandbox_clocks set winds_to = at + $2 * interval '1 minute' where company_id = $1", [
    sandboxId,
    minutes,
  ])

test('jobs of several servers that wind one sandbox are never within a step of it at once, and no step is taken twice', async () => {
  const { inside, sandboxId } = await opened()
  const before = new Date((await clockOf(inside)).now)
  await windsTo(sandboxId, 60)
  const seen: number[] = []
  const within = { now: 0, most: 0 }
  await withinSteps(
    async () => {
      within.most = Math.max(within.most, ++within.now)
      seen.push(minutesBetween(before, new Date((await clockOf(inside)).now)))
      await sleep(50)
      within.now -= 1
    },
    async () => {
      const winding = { companyId: sandboxId }
      await Promise.all([1, 2, 3, 4].map(() => windSandbox.run(t.services, winding)))
      // Jobs that found another one at work left it the rest.
      await windSandbox.run(t.services, winding)
    },
  )
  expect(within.most).toBe(1)
  expect(seen).toEqual([5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60])
  expect(await clockOf(inside)).toMatchObject({ windsTo: null })
})

test('a server that hangs within a step loses the clock to another one after a minute, and does nothing more when it goes on', async () => {
  const { inside, sandboxId } = await opened()
  const before = new Date((await clockOf(inside)).now)
  await windsTo(sandboxId, 30)
  const [hangs, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let steps = 0
  await withinSteps(
    async () => {
      if (++steps > 1) return
      hangs.resolve()
      await goesOn.promise
    },
    async () => {
      const first = windSandbox.run(t.services, { companyId: sandboxId })
      await hangs.promise
      await windSandbox.run(t.services, { companyId: sandboxId })
      expect(minutesBetween(before, new Date((await clockOf(inside)).now))).toBe(5)
      await t.change(
        sandboxId,
        "update sandbox_clocks set stepped_until = stepped_until - interval '61 seconds' where company_id = $1",
        [sandboxId],
      )
      await windSandbox.run(t.services, { companyId: sandboxId })
      expect(minutesBetween(before, new Date((await clockOf(inside)).now))).toBe(30)
      goesOn.resolve()
      await expect(first).rejects.toThrow('another server goes on with the clock of a sandbox')
    },
  )
  expect(steps).toBe(6)
  expect(await clockOf(inside)).toMatchObject({ windsTo: null })
})

test('a step that fails holds its clock no longer: the job goes on when it is tried again', async () => {
  const { inside, sandboxId } = await opened()
  await windsTo(sandboxId, 10)
  const fails = async () => Promise.reject(new Error('the lanes are away'))
  await withinSteps(fails, async () => {
    await expect(windSandbox.run(t.services, { companyId: sandboxId })).rejects.toThrow('the lanes are away')
  })
  await windSandbox.run(t.services, { companyId: sandboxId })
  expect(await clockOf(inside)).toMatchObject({ windsTo: null })
})

test('other companies go by the real time: their alarms, reminders and silences are as ever', async () => {
  await opened()
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const device = await aDevice(t, company)
  const quiet = await aDevice(t, company)
  await anAlarm(t, company, { deviceIds: [device.id], reminderMinutes: 60, userIds: [admin.id] })
  await anAlarm(t, company, { rule: { kind: 'noData', afterMinutes: 30 }, deviceIds: [quiet.id], userIds: [admin.id] })
  await pipeline.send(quiet, [{ at: t.clock.now(), temperatureC: 5 }])
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 20 }])
  t.clock.advance(61 * minute)
  await pipeline.sweepAlarms()
  await applyDueSteps(t.pool, t.clock.now())
  const kinds = await t.rows('select kind from alarm_events where company_id = $1 order by id', [company.companyId])
  expect(kinds).toEqual([{ kind: 'opened' }, { kind: 'opened' }, { kind: 'reminder' }])
})
