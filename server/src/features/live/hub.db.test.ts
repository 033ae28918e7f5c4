import { expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, type TestUser, token } from '../../../test/factories.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import { Hub } from './hub.ts'
import { watcherOf } from './watcher.ts'

// A busy machine takes its time.
const patient = { timeout: 30_000, interval: 2 }

const t = describeApp()

async function stream(hub: Hub) {
  const admin = await buildUser(t)
  const watcher = await watcherOf(t.services, { ...admin, userId: admin.id, hash: tokenHash(admin.token) })
  const viewer = await hub.open(admin.companyId, watcher!, undefined)
  const text = { heard: '' }
  viewer.stream.on('data', (chunk) => {
    text.heard += chunk
  })
  return { admin, viewer, text }
}

test('a stream gives a sign of life again and again', async () => {
  const hub = new Hub(t.services, 10)
  const { text } = await stream(hub)
  await vi.waitFor(() => expect(text.heard.match(/event: heartbeat/g)?.length).toBeGreaterThan(2), patient)
  hub.end()
})

test('a session that ended without anybody saying so is found out with the next sign of life', async () => {
  const hub = new Hub(t.services, 10)
  const { admin, text } = await stream(hub)
  await t.pool.query('delete from sessions where identity_id = $1', [admin.identityId])
  await vi.waitFor(() => expect(text.heard).toContain('event: closed\ndata: {"reason":"session"}'), patient)
  hub.end()
})

test('what happens while somebody is let in is in their stream, after the instant it says', async () => {
  const hub = new Hub(t.services, 60_000)
  const admin = await buildUser(t)
  const watcher = await watcherOf(t.services, { ...admin, userId: admin.id, hash: tokenHash(admin.token) })
  const opening = hub.open(admin.companyId, watcher!, undefined)
  const place = { kind: 'geofence', id: '7', change: 'added' } as const
  t.services.bus.publish({ companyId: admin.companyId, kind: 'place', data: place })
  const viewer = await opening
  let heard = ''
  viewer.stream.on('data', (chunk) => {
    heard += chunk
  })
  await vi.waitFor(() => expect(heard).toContain('event: place'), patient)
  expect(heard.match(/event: (\w+)/g)).toEqual(['event: hello', 'event: place'])
  const { at } = JSON.parse(heard.match(/event: hello\n.*\n?data: (.*)/)?.[1] ?? '{}')
  expect(Date.parse(at)).toBeLessThanOrEqual(t.clock.now().getTime())
  hub.end()
})

test('a stream ends when its session reaches its end (M12)', async () => {
  const hub = new Hub(t.services, 10)
  const { viewer, text } = await stream(hub)
  t.clock.advance(t.services.config.sessions.absoluteAdminMs)
  await vi.waitFor(() => expect(viewer.closed).toBe(true), patient)
  expect(text.heard).toContain('"reason":"session"')
  hub.end()
})

test('a stopping hub takes nobody in', async () => {
  const hub = new Hub(t.services, 10)
  hub.end()
  await expect(stream(hub)).rejects.toMatchObject({ code: 'BUSY' })
})

test('a person has so many streams, however many sessions they open, and a company so many in all (L23)', async () => {
  const hub = new Hub({ ...t.services, config: { ...t.services.config, liveStreams: { perPerson: 2, perCompany: 3 } } })
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const open = async (user: TestUser) => {
    const session = await token(t, user)
    const watcher = await watcherOf(t.services, { ...user, userId: user.id, hash: tokenHash(session) })
    return hub.open(company.companyId, watcher!, undefined)
  }
  await open(admin)
  await open(admin)
  await expect(open(admin)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await open(staff)
  await expect(open(staff)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  hub.end()
})

test('a server that leaves the others tells every open stream to connect again, and takes no stream for over that is not', async () => {
  const hub = new Hub(t.services, 60_000)
  const streams = await Promise.all(Array.from({ length: 5 }, () => stream(hub)))
  hub.endSpread(20)
  await vi.waitFor(() => {
    for (const { text } of streams) expect(text.heard).toContain('event: closed\ndata: {"reason":"restart"}')
  }, patient)
  // Until the server stops, somebody may still come.
  const { viewer } = await stream(hub)
  expect(viewer.closed).toBe(false)
  hub.end()
  expect(viewer.closed).toBe(true)
})
