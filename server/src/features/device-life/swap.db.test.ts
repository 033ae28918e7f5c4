import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildHardware, buildKey, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const ago = (ms: number) => new Date(t.clock.now().getTime() - ms)
const swap = (token: string, id: string | number, newImei: string, more: object = {}) =>
  t.call('POST', `/devices/${id}/swap`, { token, body: { newImei, ...more } })
const historyOf = async (token: string, id: string | number) => {
  const query = { from: ago(86_400_000).toISOString(), to: new Date(t.clock.now().getTime() + 1).toISOString() }
  const { body } = await t.call('GET', `/devices/${id}/history`, { token, query })
  return body.payload.data.map((reading: { temperatureC: number }) => reading.temperatureC)
}

test('the device goes on with the new hardware: name, settings, history; both IMEIs by date, at one instant', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const fresh = await buildHardware(t)
  await pipeline.send(device, [{ at: ago(10 * minute), temperatureC: 4 }])
  const { status, body } = await swap(admin.token, device.id, fresh.imei)
  expect(status, JSON.stringify(body)).toBe(200)
  const at = t.clock.now().toISOString()
  expect(body.payload.hardware).toEqual([
    { imei: fresh.imei, probe: 1, from: at, to: null },
    { imei: device.imei, probe: 1, from: ago(86_400_000).toISOString(), to: at },
  ])
  await pipeline.send(fresh, [{ at: t.clock.now(), temperatureC: 5 }])
  expect(await historyOf(admin.token, device.id)).toEqual([5, 4])
  const one = await t.call('GET', `/devices/${device.id}`, { token: admin.token })
  expect(one.body.payload).toMatchObject({ imei: fresh.imei, name: device.name, type: 'fridge', status: 'live' })
})

test('what the old hardware measured before, and sends only now, is still the device’s; what it measures later is nobody’s', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const fresh = await buildHardware(t)
  await swap(admin.token, device.id, fresh.imei)
  const answer = await pipeline.send(device, [
    { at: ago(5 * minute), temperatureC: 3 },
    { at: new Date(t.clock.now().getTime() + minute), temperatureC: 30 },
  ])
  expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 1, code: 'NOT_ASSIGNED' }] })
  expect(await historyOf(admin.token, device.id)).toEqual([3])
})

test('the old hardware is free: another company may claim it; neither writes into the history of the other (L28)', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  await swap(admin.token, device.id, (await buildHardware(t)).imei)
  t.clock.advance(minute)
  const other = await buildUser(t)
  const body = { imei: device.imei, licenceKey: await buildKey(t), name: 'Second life', overrideImeiCheck: true }
  const claimed = await t.call('POST', '/devices/setup', { token: other.token, body })
  expect(claimed.status, JSON.stringify(claimed.body)).toBe(200)
  const secret = claimed.body.payload.newSecret
  expect(secret).toMatch(/^[\w-]{27}$/)
  const readings = [
    { at: ago(10 * minute), temperatureC: 1 },
    { at: t.clock.now(), temperatureC: 2 },
  ]
  await expect(pipeline.send(device, readings)).rejects.toThrow('401')
  const answer = await pipeline.send({ imei: device.imei, secret }, readings)
  expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'NOT_ASSIGNED' }] })
  expect(await historyOf(admin.token, device.id)).toEqual([])
  expect(await historyOf(other.token, claimed.body.payload.id)).toEqual([2])
  const kept = await t.rows('select company_id, payload from ingest_rejected where imei = $1', [device.imei])
  expect(kept).toMatchObject([{ company_id: null }])
})

test('new hardware is told the interval and the pause; an answer of the old one about them counts no more', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { ...admin, intervalS: 300 })
  const fresh = await buildHardware(t)
  const change = { transmission: 'paused' }
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: change })
  const { commands: old } = await pipeline.send(device, [{ at: ago(minute), temperatureC: 4 }])
  expect(old).toHaveLength(1)
  await swap(admin.token, device.id, fresh.imei)
  const late = await pipeline.ack(
    device,
    old.map(({ commandId }) => ({ commandId, at: t.clock.now().toISOString(), ok: true })),
  )
  expect(late.commands).toEqual([])
  const one = async () => (await t.call('GET', `/devices/${device.id}`, { token: admin.token })).body.payload
  expect(await one()).toMatchObject({ transmission: 'started' })
  const { commands } = await pipeline.send(fresh, [{ at: t.clock.now(), temperatureC: 4 }])
  expect(commands.map(({ kind, value }) => [kind, value])).toEqual([
    ['interval', { intervalS: 300 }],
    ['transmission', { state: 'paused' }],
  ])
  await pipeline.ack(
    fresh,
    commands.map(({ commandId }) => ({ commandId, at: t.clock.now().toISOString(), ok: true })),
  )
  expect(await one()).toMatchObject({ transmission: 'paused', waiting: [] })
})

test('it is in the trail, with both IMEIs', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const fresh = await buildHardware(t)
  await swap(admin.token, device.id, fresh.imei)
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    action: 'devices.swapped',
    target: { kind: 'device', id: String(device.id) },
    before: { imei: device.imei },
    after: { imei: fresh.imei },
  })
})

describe('a swap is refused', () => {
  test('onto hardware in use, by this company or another, and onto hardware nobody knows', async () => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    for (const used of [await aDevice(t, admin), await aDevice(t)]) {
      const { status, body } = await swap(admin.token, device.id, used.imei)
      expect([status, body.code]).toEqual([400, 'CLAIM_REFUSED'])
    }
    const unknown = await swap(admin.token, device.id, newImei())
    expect([unknown.status, unknown.body.code]).toEqual([400, 'CLAIM_REFUSED'])
    const life = await t.call('GET', `/devices/${device.id}/life`, { token: admin.token })
    expect(life.body.payload.hardware).toMatchObject([{ imei: device.imei, to: null }])
  })

  test('onto the same hardware, a probe it has not, and what is no IMEI', async () => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    const same = await swap(admin.token, device.id, device.imei)
    expect([same.status, same.body.fields]).toMatchObject([422, { newImei: ['The device has this hardware already.'] }])
    const probe = await swap(admin.token, device.id, (await buildHardware(t)).imei, { probe: 2 })
    expect([probe.status, Object.keys(probe.body.fields)]).toEqual([422, ['probe']])
    for (const bad of ['', '12', 'x'.repeat(15), "1' or '1'='1'--"])
      expect((await swap(admin.token, device.id, bad)).status).toBe(422)
  })

  test('to Staff (403), another company (404), and of a private device to a Manager (404)', async () => {
    const company = await buildCompany(t)
    const [staff, manager] = [
      await buildUser(t, { company, role: 'staff' }),
      await buildUser(t, { company, role: 'manager' }),
    ]
    const hidden = await aDevice(t, { ...company, visibility: 'private' })
    const { imei } = await buildHardware(t)
    expect((await swap(staff.token, hidden.id, imei)).status).toBe(403)
    expect((await swap(manager.token, hidden.id, imei)).status).toBe(404)
    expect((await swap((await buildUser(t)).token, hidden.id, imei)).status).toBe(404)
    expect((await t.call('GET', `/devices/${hidden.id}/life`, { token: manager.token })).status).toBe(404)
  })
})

test('of several who want the same hardware at once, exactly one gets it', async () => {
  const { imei } = await buildHardware(t)
  const contenders = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const admin = await buildUser(t)
      return { admin, device: await aDevice(t, admin) }
    }),
  )
  const answers = await Promise.all(contenders.map(({ admin, device }) => swap(admin.token, device.id, imei)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('CLAIM_REFUSED')
})

test('two swaps of one device at once follow one another: periods neither overlap nor leave a gap', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const fresh = [await buildHardware(t), await buildHardware(t)]
  const answers = await Promise.all(fresh.map(({ imei }) => swap(admin.token, device.id, imei)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const life = await t.call('GET', `/devices/${device.id}/life`, { token: admin.token })
  const periods = life.body.payload.hardware
  expect(periods).toHaveLength(3)
  expect([periods[0].to, periods[1].to, periods[2].to]).toEqual([null, periods[0].from, periods[1].from])
})
