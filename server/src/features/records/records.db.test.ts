import type { AuditLine } from '@isotherm/contract/audit.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import { describe, expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildGeofence } from '../../../test/place-factory.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import type { TestReading, TestTracker } from '../../../test/test-pipeline.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { sweepLateArrivals, sweepRecords } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms)
const ahead = (ms: number) => new Date(t.clock.now().getTime() + ms)
const sweep = () => sweepRecords.run(t.services, {})

async function team() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const ask = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    body?: unknown,
    token = admin.token,
  ) => t.call(method, path, { token, ...(body !== undefined && { body }) })
  const device = (given: { name?: string; visibility?: 'public' | 'private' } = {}) =>
    aDevice(t, { ...company, intervalS: 600, validFrom: ago(100 * hour), ...given })
  const make = async (body: object) => {
    const answer = await ask('POST', '/enterprise/record', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.payload as { id: string; state: string }
  }
  const details = async (id: string): Promise<RecordDetails> =>
    (await ask('GET', `/enterprise/record/${id}`)).body.payload
  return { company, admin, ask, device, make, details }
}
const send = (device: TestTracker, readings: TestReading[]) => pipeline.send(device, readings)

/** A sweep whose connection dies when it has changed the record and waits for its place in the audit trail; it goes on with other records. */
const killedInItsMiddle = (companyId: number) =>
  asPipeline(t.pool, async ({ client }) => {
    await client.query('select 1 from audit_heads where company_id = $1 for update', [companyId])
    const dying = sweep()
    await vi.waitFor(
      async () => {
        const { rows } = await t.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 30_000 },
    )
    await dying
  })

describe('a record', () => {
  test('is made from now on, shown with what its device measured, ended by hand, and then over', async () => {
    const { device, make, details, ask } = await team()
    const van = await device({ name: 'Van 1' })
    const { id, state } = await make({ name: 'Trip 7', deviceIds: [String(van.id)], note: 'two pallets' })
    expect(state).toBe('running')
    t.clock.advance(30 * minute)
    await ask('PATCH', `/devices/${van.id}`, { limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
    await send(van, [{ at: ago(20 * minute), temperatureC: 5 }])
    expect(await details(id)).toMatchObject({
      name: 'Trip 7',
      devices: [{ name: 'Van 1', hardware: [{ imei: van.imei, to: null }] }],
      notes: [{ text: 'two pallets' }],
      contentSha256: null,
    })
    const ended = await ask('PUT', `/enterprise/record/end/${id}`)
    expect(ended.body.payload).toMatchObject({ state: 'ended', endedBy: 'hand', endAt: t.clock.now().toISOString() })
    expect((await ask('PUT', `/enterprise/record/end/${id}`)).body.code).toBe('RECORD_ENDED')
    const stats = await ask('GET', `/enterprise/record/${id}/stats`)
    expect(stats.body.payload).toMatchObject({
      verdict: 'noLimits',
      devices: [{ name: 'Van 1', temperature: { count: 1 } }],
    })
    expect((await ask('GET', '/enterprise/records?search=trip')).body.payload.meta.total).toBe(1)
  })

  test('planned for later begins and ends at its instants, however late the sweep comes', async () => {
    const { device, make, details, ask } = await team()
    const [from, to] = [ahead(hour), ahead(3 * hour)]
    const body = {
      name: 'Later',
      deviceIds: [String((await device()).id)],
      startAt: from.toISOString(),
      endAt: to.toISOString(),
    }
    const { id, state } = await make(body)
    expect(state).toBe('planned')
    expect((await ask('PUT', `/enterprise/record/end/${id}`)).body.code).toBe('RECORD_NOT_STARTED')
    await sweep()
    expect((await details(id)).state).toBe('planned')
    t.clock.advance(2 * hour)
    await sweep()
    expect(await details(id)).toMatchObject({ state: 'running', startAt: from.toISOString() })
    t.clock.advance(90 * minute)
    await sweep()
    expect(await details(id)).toMatchObject({
      state: 'ended',
      endedBy: 'time',
      endAt: to.toISOString(),
      to: to.toISOString(),
    })
  })

  test('planned is begun once, by sweeps at once and after one that was killed in its middle', async () => {
    const { device, make, details, company } = await team()
    const from = ahead(hour)
    const { id } = await make({
      name: 'Later',
      deviceIds: [String((await device()).id)],
      startAt: from.toISOString(),
    })
    t.clock.advance(2 * hour)
    await killedInItsMiddle(company.companyId)
    expect((await details(id)).state).toBe('planned')
    await Promise.all([sweep(), sweep(), sweep()])
    expect(await details(id)).toMatchObject({ state: 'running', startAt: from.toISOString() })
    const { rows } = await asPipeline(t.pool, ({ client }) =>
      client.query(`select 1 from audit_log where company_id = $1 and action = 'records.started'`, [company.companyId]),
    )
    expect(rows).toHaveLength(1)
  })

  test('planned may begin at once by hand, once', async () => {
    const { device, make, ask } = await team()
    const { id } = await make({
      name: 'Soon',
      deviceIds: [String((await device()).id)],
      startAt: ahead(hour).toISOString(),
    })
    expect((await ask('PUT', `/enterprise/record/start/${id}`)).body.payload).toMatchObject({
      state: 'running',
      startAt: t.clock.now().toISOString(),
    })
    expect((await ask('PUT', `/enterprise/record/start/${id}`)).body.code).toBe('RECORD_STARTED')
  })

  test('of the past is over at once; one that ends before it starts is refused with the field named', async () => {
    const { device, make, ask } = await team()
    const deviceIds = [String((await device()).id)]
    const past = { name: 'Past', deviceIds, startAt: ago(5 * hour).toISOString(), endAt: ago(hour).toISOString() }
    expect((await make(past)).state).toBe('ended')
    const wrong = await ask('POST', '/enterprise/record', {
      ...past,
      name: 'Wrong',
      startAt: past.endAt,
      endAt: past.startAt,
    })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['startAt']])
    const alike = await ask('POST', '/enterprise/record', { ...past, name: 'Alike', startAt: past.endAt })
    expect([wrong.body.fields.startAt, alike.body.fields.startAt]).toEqual([
      ['Start date cannot be later than End date'],
      ['Start Date must be before End Date!'],
    ])
    const nothing = await ask('POST', '/enterprise/record', { ...past, name: 'Nothing', deviceIds: [] })
    expect(nothing.body.fields.deviceIds).toEqual(['Choose at least one item.'])
    const before = await ask('POST', '/enterprise/record', {
      name: 'No start',
      deviceIds,
      endAt: ago(hour).toISOString(),
    })
    expect([before.status, Object.keys(before.body.fields)]).toEqual([422, ['startAt']])
  })

  test('what is wrong with one is told in words, not in the names of the fields', async () => {
    const { device, ask } = await team()
    const deviceIds = [String((await device()).id)]
    const told = async (more: object) =>
      (await ask('POST', '/enterprise/record', { name: 'Trip', deviceIds, ...more })).body.messages
    expect(await told({ destinationId: '999999' })).toEqual([expect.stringMatching(/^Destination: /)])
    expect(await told({ budget: { aboveC: 8 } })).toEqual([expect.stringMatching(/^Budget, time above: /)])
  })

  test('may overlap another for another purpose; the same name or lot twice at once is refused', async () => {
    const { device, make, ask } = await team()
    const one = await device({ name: 'Shared' })
    const deviceIds = [String(one.id)]
    await make({ name: 'Trip A', lot: 'L-1', deviceIds })
    await make({ name: 'Audit of the van', deviceIds })
    const twice = await ask('POST', '/enterprise/record', { name: 'trip a', deviceIds })
    expect([twice.status, twice.body.code]).toEqual([400, 'RECORD_OVERLAPS'])
    expect(twice.body.message).toContain('Shared')
    expect((await ask('POST', '/enterprise/record', { name: 'Other', lot: 'l-1', deviceIds })).body.code).toBe(
      'RECORD_OVERLAPS',
    )
    const earlier = { startAt: ago(9 * hour).toISOString(), endAt: ago(8 * hour).toISOString() }
    await make({ name: 'Trip A', lot: 'L-1', deviceIds, ...earlier })
  })

  test('that overlaps a private record or device is refused without their names (M2)', async () => {
    const { admin, device, make, ask } = await team()
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const [open, vault] = [await device({ name: 'Van' }), await device({ name: 'Vault', visibility: 'private' })]
    await make({ name: 'Secret trip', lot: 'L-9', deviceIds: [String(open.id), String(vault.id)] })
    const body = { name: 'Delivery', lot: 'l-9', deviceIds: [String(open.id)] }
    const refused = await t.call('POST', '/enterprise/record', { token: manager.token, body })
    expect([refused.status, refused.body.code]).toEqual([400, 'RECORD_OVERLAPS_UNSEEN'])
    expect(refused.body.message).not.toMatch(/Vault|Van|Secret/)
    expect((await ask('POST', '/enterprise/record', body)).body.message).toMatch(/Van.*Secret trip/)
  })

  test('keeps a device that is swapped and then taken out of use in its middle', async () => {
    const { device, make, details, ask } = await team()
    const one = await device({ name: 'Reefer' })
    const { id } = await make({ name: 'Long trip', deviceIds: [String(one.id)] })
    t.clock.advance(hour)
    const fresh = await buildHardware(t)
    expect((await ask('POST', `/devices/${one.id}/swap`, { newImei: fresh.imei })).status).toBe(200)
    t.clock.advance(hour)
    expect((await ask('PUT', `/devices/${one.id}/decommission`, { reason: 'broken' })).status).toBeLessThan(300)
    t.clock.advance(hour)
    const { devices, state } = await details(id)
    expect(state).toBe('running')
    expect(devices[0]?.hardware.map(({ imei }) => imei)).toEqual([one.imei, fresh.imei])
    expect(devices[0]?.decommissionedAt).not.toBeNull()
    const again = await ask('POST', '/enterprise/record', { name: 'New', deviceIds: [String(one.id)] })
    expect(again.body.code).toBe('DEVICE_DECOMMISSIONED')
  })

  test('goes on without a device that leaves the company in its middle; what it measures for its new owner is not in it', async () => {
    const seller = await team()
    const { device, make, details, ask } = seller
    const one = await device({ name: 'Sold' })
    const { id } = await make({ name: 'Before the sale', deviceIds: [String(one.id)] })
    t.clock.advance(hour)
    await send(one, [{ at: ago(30 * minute), temperatureC: 5 }])
    expect((await ask('PUT', `/devices/${one.id}/decommission`, { reason: 'sold' })).status).toBe(200)
    const buyer = await team()
    const key = await buildKey(t)
    const bought = await buyer.ask('POST', '/devices/setup', {
      imei: one.imei,
      licenceKey: key,
      name: 'Bought',
      overrideImeiCheck: true,
      intervalS: 600,
    })
    expect(bought.status, JSON.stringify(bought.body)).toBe(200)
    t.clock.advance(hour)
    const sold = { ...one, secret: bought.body.payload.newSecret }
    await send(sold, [{ at: ago(30 * minute), temperatureC: 20 }])
    const counts = async (who: typeof buyer, path: string) =>
      (await who.ask('GET', path)).body.payload.devices.map(
        (each: { temperature: { count: number } }) => each.temperature.count,
      )
    expect(await counts(seller, `/enterprise/record/${id}/stats`)).toEqual([1])
    expect((await buyer.ask('GET', `/enterprise/record/${id}`)).status).toBe(404)
    const theirs = await buyer.make({
      name: 'Since then',
      deviceIds: [bought.body.payload.id],
      startAt: ago(90 * minute).toISOString(),
    })
    expect(await counts(buyer, `/enterprise/record/${theirs.id}/stats`)).toEqual([1])
    expect((await ask('PUT', `/enterprise/record/end/${id}`)).body.payload.state).toBe('ended')
    expect((await details(id)).devices[0]?.hardware).toMatchObject([{ imei: one.imei }])
  })

  test('with a private device is not there for who may not see it', async () => {
    const { device, make, company, ask } = await team()
    const manager = await buildUser(t, { company, role: 'manager' })
    const [open, secret] = [await device(), await device({ visibility: 'private' })]
    const { id } = await make({ name: 'Mixed', deviceIds: [String(open.id), String(secret.id)] })
    for (const path of [`/enterprise/record/${id}`, `/enterprise/record/${id}/stats`])
      expect((await ask('GET', path, undefined, manager.token)).status, path).toBe(404)
    expect((await ask('PUT', `/enterprise/record/end/${id}`, undefined, manager.token)).status).toBe(404)
    expect((await ask('GET', '/enterprise/records', undefined, manager.token)).body.payload.meta.total).toBe(0)
    const sneak = await ask(
      'POST',
      '/enterprise/record',
      { name: 'Sneak', deviceIds: [String(secret.id)] },
      manager.token,
    )
    expect([sneak.status, Object.keys(sneak.body.fields)]).toEqual([422, ['deviceIds']])
  })

  test('names its devices in the audit trail, to those who may see them', async () => {
    const { company, admin, device, make, ask } = await team()
    const staff = await buildUser(t, { company, role: 'staff' })
    const fridge = await device({ name: 'Fridge' })
    const vault = await device({ name: 'Vault', visibility: 'private' })
    await make({ name: 'Night one', deviceIds: [String(fridge.id)] })
    await make({ name: 'Night two', deviceIds: [String(fridge.id), String(vault.id)] })
    const toldTo = async (token: string) => {
      const { body } = await ask('GET', '/audit-log/search?search=Night', undefined, token)
      const made = (body.payload as { data: AuditLine[] }).data.filter(({ action }) => action === 'records.made')
      return made.map(({ changes }) => changes.find(({ name }) => name === 'Devices')?.after)
    }
    expect(await toldTo(admin.token)).toEqual(['Fridge, Vault', 'Fridge'])
    expect(await toldTo(staff.token)).toEqual(['Fridge'])
  })

  test('is deleted with its name in the audit trail; the readings stay', async () => {
    const { device, make, ask } = await team()
    const one = await device()
    const { id } = await make({ name: 'Mistake', deviceIds: [String(one.id)] })
    expect((await ask('DELETE', `/enterprise/record/${id}`)).status).toBe(200)
    expect((await ask('GET', `/enterprise/record/${id}`)).status).toBe(404)
    expect((await ask('GET', `/devices/${one.id}`)).status).toBe(200)
  })
})

describe('a destination', () => {
  const area = { kind: 'circle' as const, centre: { lat: 6.45, lon: 3.39 }, radiusM: 500 }
  const home = { lat: 6.45, lon: 3.39 }
  const away = { lat: 6.6, lon: 3.39 }

  async function underWay(more: object = {}) {
    const own = await team()
    const van = await own.device()
    const fence = await buildGeofence(t, { ...own.company, area })
    const startAt = ago(2 * hour)
    const body = {
      name: 'To the depot',
      deviceIds: [String(van.id)],
      startAt: startAt.toISOString(),
      destinationId: fence.id,
    }
    const { id } = await own.make({ ...body, ...more })
    const at = (minutes: number) => new Date(startAt.getTime() + minutes * minute)
    return { ...own, van, id, at, fence }
  }

  test('ends a record at the first fix inside, in the time of the fix, though it arrives late', async () => {
    const { van, id, at, details } = await underWay()
    await send(van, [{ at: at(10), temperatureC: 5, ...away }])
    await sweep()
    expect((await details(id)).state).toBe('running')
    await send(van, [
      { at: at(30), temperatureC: 5, ...away },
      { at: at(40), temperatureC: 5, ...home },
      { at: at(50), temperatureC: 5, ...home },
    ])
    await sweep()
    expect(await details(id)).toMatchObject({ state: 'ended', endedBy: 'destination', endAt: at(40).toISOString() })
    await send(van, [{ at: at(35), temperatureC: 5, ...home }])
    await sweep()
    expect((await details(id)).endAt).toBe(at(35).toISOString())
  })

  test('is not reached by who begins there, before they have left', async () => {
    const { van, id, at, details } = await underWay()
    await send(van, [
      { at: at(-5), temperatureC: 5, ...home },
      { at: at(5), temperatureC: 5, ...home },
    ])
    await sweep()
    expect((await details(id)).state).toBe('running')
    await send(van, [
      { at: at(15), temperatureC: 5, ...away },
      { at: at(25), temperatureC: 5, ...home },
    ])
    await sweep()
    expect((await details(id)).endAt).toBe(at(25).toISOString())
  })

  test('is reached in the time of a fix that came days late, though the sweep of every minute does not look so far back', async () => {
    const { van, id, at, details } = await underWay({ startAt: ago(60 * hour).toISOString() })
    const then = (hours: number) => new Date(at(120).getTime() - hours * hour)
    await send(van, [
      { at: then(50), temperatureC: 5, ...away },
      { at: then(40), temperatureC: 5, ...home },
    ])
    await sweep()
    expect((await details(id)).state).toBe('running')
    await sweepLateArrivals.run(t.services, {})
    expect(await details(id)).toMatchObject({ endedBy: 'destination', endAt: then(40).toISOString() })
  })

  test('is not reached by who began there days ago and has not left', async () => {
    const { van, id, at, details } = await underWay({ startAt: ago(60 * hour).toISOString() })
    const then = (hours: number) => new Date(at(120).getTime() - hours * hour)
    await send(van, [
      { at: then(60.5), temperatureC: 5, ...home },
      { at: then(2), temperatureC: 5, ...home },
    ])
    await sweep()
    await sweepLateArrivals.run(t.services, {})
    expect((await details(id)).state).toBe('running')
  })

  test('comes before the planned end where the fix was earlier, and moves no end that somebody set by hand', async () => {
    const { van, id, at, details, ask, fence, make } = await underWay({ endAt: ahead(minute).toISOString() })
    t.clock.advance(2 * minute)
    await sweep()
    expect((await details(id)).endedBy).toBe('time')
    await send(van, [{ at: at(60), temperatureC: 5, ...home }])
    await sweep()
    expect(await details(id)).toMatchObject({ endedBy: 'destination', endAt: at(60).toISOString() })
    const other = await make({
      name: 'By hand',
      deviceIds: [String(van.id)],
      startAt: at(70).toISOString(),
      destinationId: fence.id,
    })
    await ask('PUT', `/enterprise/record/end/${other.id}`)
    await send(van, [
      { at: at(80), temperatureC: 5, ...away },
      { at: at(90), temperatureC: 5, ...home },
    ])
    await sweep()
    expect((await details(other.id)).endedBy).toBe('hand')
  })
})
