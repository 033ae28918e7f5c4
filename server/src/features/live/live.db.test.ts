import { once } from 'node:events'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, only, setMatrix, token } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import { type Listener, listen } from '../../../test/live-listener.ts'

// A busy machine takes its time.
const patient = { timeout: 30_000, interval: 2 }

let url: string
const listeners: Listener[] = []
const t = describeApp()
const pipeline = describePipeline(t)
beforeAll(async () => {
  url = await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.stop()
})

async function hear(bearer: string, lastId?: string) {
  const listener = await listen(url, bearer, lastId)
  listeners.push(listener)
  return listener
}

async function team() {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const [open, hidden] = [await aDevice(t, company), await aDevice(t, { ...company, visibility: 'private' })]
  let temperatureC = 5
  /** A further reading of a device. */
  const say = (device: typeof open) => {
    t.clock.advance(1000)
    temperatureC = Math.round((temperatureC + 0.01) * 100) / 100
    return pipeline.send(device, [{ at: t.clock.now(), temperatureC }])
  }
  return { company, admin, staff, open, hidden, say }
}

test('a place that somebody makes, changes or deletes is heard by the others who see devices', async () => {
  const { company, admin, staff } = await team()
  const blind = await buildUser(t, { company, role: 'manager' })
  await setMatrix(t, company.companyId, 'manager', only())
  const people = [await hear(admin.token), await hear(staff.token), await hear(blind.token)]
  const fence = { name: 'Depot', colour: 'red', area: { kind: 'circle', centre: { lat: 6.5, lon: 3.4 }, radiusM: 500 } }
  const { id } = (await t.call('POST', '/geofence', { token: admin.token, body: fence })).body.payload
  await t.call('PATCH', `/geofence/${id}`, { token: admin.token, body: { name: 'Yard' } })
  await t.call('DELETE', `/geofence/${id}`, { token: admin.token })
  for (const person of people.slice(0, 2))
    for (const change of ['added', 'changed', 'removed'])
      expect((await person.next('place')).data).toEqual({ kind: 'geofence', id, change })
  expect(people[2]?.heard.filter(({ event }) => event === 'place')).toEqual([])
})

test('a reading is heard by the company’s people as it arrives, with the values it brought', async () => {
  const { admin, staff, open } = await team()
  await t.call('PATCH', `/devices/${open.id}`, { token: admin.token, body: { limits: { temperatureMaxC: 8 } } })
  const people = [await hear(admin.token), await hear(staff.token)]
  t.clock.advance(1000)
  const at = t.clock.now().toISOString()
  await pipeline.send(open, [{ at: t.clock.now(), temperatureC: 9.5, humidityPct: 50, lat: 6.5, lon: 3.4 }])
  for (const person of people) {
    expect((await person.next('reading')).data).toMatchObject({
      deviceId: String(open.id),
      count: 1,
      from: at,
      to: at,
      latest: { temperatureC: 9.5, humidityPct: 50, measuredAt: at },
      position: { lat: 6.5, lon: 3.4 },
    })
    expect((await person.next('excursion')).data).toMatchObject({
      state: 'started',
      side: 'above',
      peak: 9.5,
      endAt: null,
    })
    expect(person.heard[0]).toMatchObject({ event: 'hello', data: { resumed: false } })
  }
  expect(people[0]?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
})

test('that a device has answered a command is heard: its settings are to be fetched again', async () => {
  const { admin, open } = await team()
  await t.call('PATCH', `/devices/${open.id}`, { token: admin.token, body: { intervalS: 300 } })
  const boss = await hear(admin.token)
  const { commands } = await pipeline.send(open, [{ at: t.clock.now(), temperatureC: 5 }])
  await pipeline.ack(
    open,
    commands.map(({ commandId }) => ({ commandId, at: t.clock.now().toISOString(), ok: true })),
  )
  expect((await boss.next('device')).data).toEqual({ deviceId: String(open.id), change: 'commands' })
})

test('private devices are heard by Admins alone', async () => {
  const { admin, staff, open, hidden, say } = await team()
  const [boss, member] = [await hear(admin.token), await hear(staff.token)]
  await say(hidden)
  await say(open)
  expect((await boss.next('reading')).data.deviceId).toBe(String(hidden.id))
  expect((await boss.next('reading')).data.deviceId).toBe(String(open.id))
  expect((await member.next('reading')).data.deviceId).toBe(String(open.id))
  expect(JSON.stringify(member.heard)).not.toContain(`"deviceId":"${hidden.id}"`)
})

test('another company hears nothing, and neither does who may not see devices', async () => {
  const { company, open, say } = await team()
  await setMatrix(t, company.companyId, 'manager', only('users.view'))
  const [stranger, blind] = [await buildUser(t), await buildUser(t, { company, role: 'manager' })]
  const [one, two] = [await hear(stranger.token), await hear(blind.token)]
  await say(open)
  await say(open)
  const own = await aDevice(t, stranger)
  await say(own)
  expect((await one.next('reading')).data.deviceId).toBe(String(own.id))
  expect(one.heard.map(({ event }) => event)).toEqual(['hello', 'reading'])
  expect(two.heard.map(({ event }) => event)).toEqual(['hello'])
})

test('logging out ends the stream of that session, and of no other', async () => {
  const { admin, open, say } = await team()
  const second = await token(t, admin)
  const [leaving, staying] = [await hear(admin.token), await hear(second)]
  await t.call('POST', '/auth/logout', { token: admin.token })
  expect((await leaving.next('closed')).data).toEqual({ reason: 'session' })
  await leaving.ended
  await say(open)
  await staying.next('reading')
  expect((await listen(url, admin.token)).status).toBe(401)
})

test('a removed person’s stream ends', async () => {
  const { admin, staff } = await team()
  const member = await hear(staff.token)
  await t.call('DELETE', `/users/${staff.id}`, { token: admin.token })
  expect((await member.next('closed')).data).toEqual({ reason: 'session' })
})

test('a change of what a role may do ends the streams of that role, so that they come back with their new rights', async () => {
  const { admin, staff, open, say } = await team()
  const [boss, member] = [await hear(admin.token), await hear(staff.token)]
  const body = { modulePermissions: only('users.view') }
  await t.call('PATCH', '/roles/staff', { token: admin.token, body })
  expect((await member.next('closed')).data).toEqual({ reason: 'permissions' })
  const again = await hear(staff.token)
  await say(open)
  await boss.next('reading')
  await again.next('hello')
  expect(again.heard.map(({ event }) => event)).toEqual(['hello'])
})

test('a new role ends the sessions of who got it, and their streams', async () => {
  const { admin, staff } = await team()
  const member = await hear(staff.token)
  await t.call('PATCH', `/users/${staff.id}`, { token: admin.token, body: { role: 'admin' } })
  expect((await member.next('closed')).data).toEqual({ reason: 'session' })
})

test('a device that becomes private vanishes from the stream at once, and from what is caught up', async () => {
  const { admin, staff, open, say } = await team()
  const member = await hear(staff.token)
  await say(open)
  const { id } = await member.next('reading')
  await t.call('PATCH', `/devices/${open.id}`, { token: admin.token, body: { visibility: 'private' } })
  expect((await member.next('resync')).data).toEqual({ reason: 'visibility' })
  await member.ended
  await say(open)
  const again = await hear(staff.token, id)
  expect((await again.next('hello')).data).toMatchObject({ resumed: true })
  await t.call('PATCH', `/devices/${open.id}`, { token: admin.token, body: { visibility: 'public' } })
  await again.ended
  const told = again.heard.map(({ event }) => event).filter((event) => event !== 'heartbeat')
  expect(told).toEqual(['hello', 'resync', 'closed'])
})

test('who comes back is given what they missed, once and in order', async () => {
  const { admin, open, hidden, say } = await team()
  const first = await hear(admin.token)
  await say(open)
  const { id } = await first.next('reading')
  first.stop()
  await say(hidden)
  await say(open)
  const again = await hear(admin.token, id)
  expect((await again.next('hello')).data.resumed).toBe(true)
  const missed = [await again.next('reading'), await again.next('reading')]
  expect(missed.map(({ data }) => data.deviceId)).toEqual([String(hidden.id), String(open.id)])
  await say(open)
  await again.next('reading')
  expect(again.heard).toHaveLength(4)
  expect(new Set(again.heard.map((each) => each.id)).size).toBe(4)
})

test('an id from another time, of another company, or nonsense starts anew', async () => {
  const { admin, open, say } = await team()
  const first = await hear(admin.token)
  const { id = '' } = await first.next('hello')
  await say(open)
  await first.next('reading')
  const [epoch] = id.split('-')
  const other = await hear((await buildUser(t)).token)
  const foreign = (await other.next('hello')).id
  for (const lastId of [foreign, 'nonsense', `${epoch}-99`, `${epoch}--1`, `${epoch}-1e3`, 'x'.repeat(5000)]) {
    const again = await hear(admin.token, lastId)
    expect((await again.next('hello')).data.resumed, lastId).toBe(false)
  }
  expect((await (await hear(admin.token, `${epoch}-0`)).next('reading')).data.deviceId).toBe(String(open.id))
})

/** An event as big as wanted; the pipeline's are some hundred bytes. */
const publish = (companyId: number, deviceId: number, size = 0) => {
  const data = { deviceId: String(deviceId), change: 'settings', padding: 'x'.repeat(size) }
  t.services.bus.publish({ companyId, kind: 'device', deviceId, private: false, data })
}

test('after more events than are remembered, whoever was away starts anew', async () => {
  const { company, admin, open } = await team()
  const first = await hear(admin.token)
  const { id } = await first.next('hello')
  first.stop()
  for (let i = 0; i < 4_100; i++) publish(company.companyId, open.id)
  const again = await hear(admin.token, id)
  expect((await again.next('hello')).data.resumed).toBe(false)
})

test('a reader who does not read is let go; the others hear everything', async () => {
  const { company, admin, staff, open } = await team()
  const other = await hear(admin.token)
  await other.next('hello')
  // Its own connection, at the server: those of tests before end when they like.
  const connected = once(t.app.server, 'connection') as Promise<[Socket]>
  const headers = { authorization: `Bearer ${staff.token}` }
  const deaf = get(`${url}/app/api/v1/live`, { headers, agent: false })
  deaf.on('error', () => {})
  // It takes the greeting and nothing after it.
  await new Promise<void>((resolve) => {
    deaf.once('response', (answer) =>
      answer.once('data', () => {
        answer.pause()
        resolve()
      }),
    )
  })
  const [connection] = await connected
  expect(connection.destroyed).toBe(false)
  // More than the buffers of both ends of a connection take; in turns, as events come.
  const count = 2_000
  for (let i = 0; i < count; i++) {
    publish(company.companyId, open.id, 10_000)
    if (i % 20 === 0) await vi.waitFor(() => expect(other.heard.length).toBeGreaterThan(i - 20), patient)
  }
  await vi.waitFor(() => expect(connection.destroyed).toBe(true), patient)
  // On a slow machine it lasts long enough for heartbeats.
  const told = () => other.heard.filter(({ event }) => event !== 'heartbeat')
  await vi.waitFor(() => expect(told()).toHaveLength(count + 1), patient)
  deaf.destroy()
})

test('a session may have twenty streams, and no more until one has ended', async () => {
  const { admin } = await team()
  const streams = []
  for (let i = 0; i < 20; i++) streams.push(await hear(admin.token))
  expect((await hear(admin.token)).status).toBe(429)
  streams[0]?.stop()
  await vi.waitFor(async () => expect((await hear(admin.token)).status).toBe(200), patient)
})

test('who opens streams and leaves them over and over is told to wait; a colleague is not', async () => {
  const { admin, staff } = await team()
  const open = (bearer: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${bearer}` }
      const asked = get(`${url}/app/api/v1/live`, { agent: false, headers }, (answer) => {
        answer.once('close', () => resolve(answer.statusCode))
        asked.destroy()
      })
      asked.once('error', reject)
    })
  const statuses: unknown[] = []
  for (let n = 0; n < 125; n++) statuses.push(await open(admin.token))
  expect(statuses.indexOf(429)).toBe(120)
  expect(await open(staff.token)).toBe(200)
})

test('a server that stops says so and does not wait for its listeners', async () => {
  const other = await startTestApp()
  const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const admin = await buildUser(other)
  const listener = await listen(address, admin.token)
  await listener.next('hello')
  await other.close()
  expect((await listener.next('closed')).data).toEqual({ reason: 'restart' })
  await listener.ended
})
