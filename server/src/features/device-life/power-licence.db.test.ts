import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { buildHardware, buildKey, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'
import { addMonths } from '../../core/devices/licences.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const day = 86_400_000
const one = async (token: string, id: number | string) =>
  (await t.call('GET', `/devices/${id}`, { token })).body.payload
const power = (token: string, imei: string, state?: string) =>
  t.call('PUT', '/power', { token, body: { imei, ...(state ? { state } : {}) } })
const addLicence = (token: string, imei: string, licenceKey: string) =>
  t.call('PATCH', '/device', { token, body: { imei, licenceKey } })
async function claimed(token: string, months: number) {
  const hardware = await buildHardware(t)
  const body = { imei: hardware.imei, licenceKey: await buildKey(t, { months }), name: 'Fridge' }
  const { body: answer } = await t.call('POST', '/devices/setup', { token, body })
  return { ...hardware, id: answer.payload.id as string }
}

describe('power', () => {
  test('off is a command until the hardware answers, and then the device’s state', async () => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    const { status, body } = await power(admin.token, device.imei)
    expect([status, body.payload]).toEqual([200, { imei: device.imei, state: 'off', deviceIds: [String(device.id)] }])
    const { commands } = await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])
    expect(commands).toMatchObject([{ kind: 'power', value: { state: 'off' } }])
    expect(await one(admin.token, device.id)).toMatchObject({ status: 'live', waiting: [{ kind: 'power' }] })
    const ack = { commandId: commands[0]?.commandId ?? '', at: t.clock.now().toISOString(), ok: true }
    await pipeline.ack(device, [ack])
    expect(await one(admin.token, device.id)).toMatchObject({ status: 'off', waiting: [] })
    expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
      action: 'devices.power',
      after: { wished: 'off' },
    })
  })

  test('a command the hardware refuses changes nothing', async () => {
    const admin = await buildUser(t)
    const device = await aDevice(t, admin)
    await power(admin.token, device.imei)
    const { commands } = await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])
    await pipeline.ack(device, [
      { commandId: commands[0]?.commandId ?? '', at: t.clock.now().toISOString(), ok: false },
    ])
    expect(await one(admin.token, device.id)).toMatchObject({ status: 'live', waiting: [] })
  })

  test('every device of the hardware goes with it, so all must be visible to who asks', async () => {
    const company = await buildCompany(t)
    const [admin, manager] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
    const { imei } = await buildHardware(t, { probes: 2 })
    const licenceKey = await buildKey(t, { devices: 2 })
    for (const [probe, visibility] of [
      [1, 'public'],
      [2, 'private'],
    ])
      await t.call('POST', '/devices/setup', {
        token: admin.token,
        body: { imei, licenceKey, probe, visibility, name: `Probe ${probe}` },
      })
    expect((await power(manager.token, imei)).status).toBe(404)
    expect((await power(admin.token, imei)).body.payload.deviceIds).toHaveLength(2)
  })

  test('is not for Staff, nor for hardware of another company, of nobody, or that was swapped away', async () => {
    const company = await buildCompany(t)
    const device = await aDevice(t, company)
    const staff = await buildUser(t, { company, role: 'staff' })
    expect((await power(staff.token, device.imei)).status).toBe(403)
    const stranger = await buildUser(t)
    for (const imei of [device.imei, newImei()]) expect((await power(stranger.token, imei)).status).toBe(404)
    const admin = await buildUser(t, { company })
    const { imei } = await buildHardware(t)
    await t.call('POST', `/devices/${device.id}/swap`, { token: admin.token, body: { newImei: imei } })
    expect((await power(admin.token, device.imei)).status).toBe(404)
    expect((await power(admin.token, imei)).status).toBe(200)
  })
})

describe('a licence', () => {
  test('adds its months to what is left, and says until when', async () => {
    const admin = await buildUser(t)
    const device = await claimed(admin.token, 12)
    const before = new Date((await one(admin.token, device.id)).licenceUntil)
    t.clock.advance(100 * day)
    const fresh = await buildUser(t, { company: admin })
    const key = await buildKey(t, { months: 6 })
    const { status, body } = await addLicence(fresh.token, device.imei, key.toLowerCase().replaceAll('-', ' '))
    const left = before.getTime() - t.clock.now().getTime()
    const until = new Date(addMonths(t.clock.now(), 6).getTime() + left).toISOString()
    expect([status, body.payload]).toMatchObject([
      200,
      { licenceUntil: until, licences: [{ hint: key.slice(-4) }, {}] },
    ])
    expect(await one(fresh.token, device.id)).toMatchObject({ licenceUntil: until })
    const entry = (await trailOf(t, admin.companyId)).at(-1)
    expect(entry).toMatchObject({ action: 'devices.licenceAdded', after: { until } })
    expect(JSON.stringify(entry)).not.toContain(key)
  })

  test('brings an expired device back, with the readings that were stored and hidden meanwhile', async () => {
    const company = await buildCompany(t)
    const device = await claimed((await buildUser(t, { company })).token, 1)
    t.clock.advance(80 * day)
    const { token } = await buildUser(t, { company })
    await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 7.5 }])
    expect(await one(token, device.id)).toMatchObject({ status: 'expired', latest: null })
    const { status } = await addLicence(token, device.imei, await buildKey(t, { months: 1 }))
    expect(status).toBe(200)
    expect(await one(token, device.id)).toMatchObject({
      status: 'live',
      latest: { temperatureC: 7.5 },
      licenceUntil: addMonths(t.clock.now(), 1).toISOString(),
    })
  })

  test('can be added when the subscription has expired, and ends that: renewing is always possible', async () => {
    const admin = await buildUser(t)
    const device = await claimed(admin.token, 1)
    await t.change(admin.companyId, 'update companies set subscription_until = $1', [
      new Date(t.clock.now().getTime() - day),
    ])
    const body = { imei: (await buildHardware(t)).imei, licenceKey: await buildKey(t), name: 'One more' }
    const refused = await t.call('POST', '/devices/setup', { token: admin.token, body })
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      400,
      'SUBSCRIPTION_EXPIRED',
      'Your subscription has expired, kindly renew',
    ])
    expect((await addLicence(admin.token, device.imei, await buildKey(t))).status).toBe(200)
    expect((await t.call('POST', '/devices/setup', { token: admin.token, body })).status).toBe(200)
  })

  test('used by two devices at once, within or across companies: exactly one wins', async () => {
    const key = await buildKey(t, { devices: 1 })
    const mine = await buildUser(t)
    const contenders = await Promise.all(
      [mine, mine, await buildUser(t), await buildUser(t)].map(async ({ token }) => ({
        token,
        ...(await claimed(token, 1)),
      })),
    )
    const answers = await Promise.all(contenders.map(({ token, imei }) => addLicence(token, imei, key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    for (const { status, body } of answers) if (status === 400) expect(body.code).toBe('LICENCE_USED')
  })

  test('serves as many devices as it is for, and each of them once', async () => {
    const { token } = await buildUser(t)
    const key = await buildKey(t, { devices: 2 })
    const [a, b, c] = [await claimed(token, 1), await claimed(token, 1), await claimed(token, 1)]
    expect((await addLicence(token, a.imei, key)).status).toBe(200)
    expect((await addLicence(token, a.imei, key)).body.code).toBe('LICENCE_USED')
    expect((await addLicence(token, b.imei, key)).status).toBe(200)
    expect((await addLicence(token, c.imei, key)).body.code).toBe('LICENCE_USED')
  })

  test('is refused when nobody issued it, to Staff, and for a device that is not ours', async () => {
    const company = await buildCompany(t)
    const admin = await buildUser(t, { company })
    const device = await claimed(admin.token, 1)
    expect((await addLicence(admin.token, device.imei, 'ISO-0000-0000-0000-0000')).body.code).toBe('LICENCE_INVALID')
    const staff = await buildUser(t, { company, role: 'staff' })
    const key = await buildKey(t)
    expect((await addLicence(staff.token, device.imei, key)).status).toBe(403)
    expect((await addLicence((await buildUser(t)).token, device.imei, key)).status).toBe(404)
    const check = await t.call('GET', `/license/${key}`, { token: admin.token })
    expect(check.body.payload).toMatchObject({ state: 'free' })
  })
})
