import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { listen } from '../../../test/live-listener.ts'
import { hasNats, type NatsServer, noNats, startNats } from '../../../test/nats-server.ts'
import { statusOf } from '../../core/operator/status.ts'
import { clusterBus } from '../../platform/bus/cluster-bus.ts'
import { natsCarrier } from '../../platform/bus/nats-carrier.ts'
import { NatsLink } from '../../platform/bus/nats-link.ts'
import { createLog } from '../../platform/log/log.ts'

const patient = { timeout: 30_000, interval: 20 }

describe.skipIf(!hasNats)(`live streams of two nodes with NATS (else: ${noNats})`, () => {
  let nats: NatsServer
  let t: TestApp
  let url: string
  const links: NatsLink[] = []

  function bus() {
    const link = new NatsLink({ servers: [nats.address], login: null, isSecure: false, tls: {} }, createLog('silent'))
    links.push(link)
    const made = clusterBus(natsCarrier(link, 'a secret of thirty-two characters and more'))
    link.start()
    return { link, bus: made }
  }

  beforeAll(async () => {
    nats = await startNats()
    t = await startTestApp()
    const { link, bus: ours } = bus()
    t.services.bus = ours
    t.services.nats = link
    url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await t.close()
    for (const link of links) await link.stop()
    await nats.kill()
  })

  test('an event of another node is heard, by those who may know; NATS that was away costs a resync', async () => {
    const { bus: elsewhere, link } = bus()
    const [company, other] = [await buildCompany(t), await buildCompany(t)]
    const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
    const stranger = await buildUser(t, { company: other })
    const people = await Promise.all([admin, staff, stranger].map(({ token }) => listen(url, token)))
    const [ofAdmin, ofStaff, ofStranger] = people
    for (const person of people) await person.next('hello')
    await vi.waitFor(() => expect([link.fault, t.services.nats?.fault]).toEqual([null, null]), patient)
    const say = (id: string) =>
      elsewhere.publish({
        ...{ companyId: company.companyId, kind: 'place', data: { kind: 'geofence', id, change: 'added' } },
      })
    const places = (person: (typeof people)[number] | undefined) =>
      person?.heard.filter(({ event }) => event === 'place').map(({ data }) => data.id)
    say('1')
    await vi.waitFor(() => expect(places(ofAdmin)).toContain('1'), patient)
    await vi.waitFor(() => expect(places(ofStaff)).toContain('1'), patient)
    expect(places(ofStranger)).toEqual([])

    await nats.kill()
    await vi.waitFor(() => expect([link.fault, t.services.nats?.fault]).not.toContain(null), patient)
    const ready = await t.app.inject({ method: 'GET', url: '/ready' })
    expect([ready.statusCode, ready.json().warnings]).toEqual([200, ['nats']])
    expect((await statusOf(t.services)).warnings.join(' ')).toMatch(/NATS is away/)
    say('2')
    await nats.start()
    for (const person of people) expect((await person.next('resync')).data).toEqual({ reason: 'missed' })
    expect(places(ofAdmin)).not.toContain('2')
    await vi.waitFor(() => expect([link.fault, t.services.nats?.fault]).toEqual([null, null]), patient)
    say('3')
    await vi.waitFor(() => expect(places(ofStaff)).toContain('3'), patient)
    const again = await t.app.inject({ method: 'GET', url: '/ready' })
    expect(again.json().warnings).toBeUndefined()
    for (const person of people) person.stop()
  })
})
