import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, token } from '../../../test/factories.ts'
import { buildHardware, buildKey, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'
import { addMonths } from '../../core/devices/licences.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const setup = (token: string, body: object) => t.call('POST', '/devices/setup', { token, body })
const check = async (token: string, key: string) =>
  (await t.call('GET', `/license/${encodeURIComponent(key)}`, { token })).body.payload

test('a claimed device is the company’s from now on, named, limited and licensed', async () => {
  const admin = await buildUser(t)
  const [{ imei, secret }, licenceKey] = [await buildHardware(t), await buildKey(t, { months: 12 })]
  const { status, body } = await setup(admin.token, {
    imei,
    licenceKey,
    name: '  Pharmacy fridge ',
    tag: 'Ikeja',
    intervalS: 300,
    visibility: 'private',
    limits: { preset: 'refrigerated' },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.payload).toMatchObject({
    imei,
    name: 'Pharmacy fridge',
    tag: 'Ikeja',
    type: 'fridge',
    status: 'awaiting',
    visibility: 'private',
    intervalS: 300,
    limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null },
    licenceUntil: addMonths(t.clock.now(), 12).toISOString(),
    waiting: [{ kind: 'interval', value: { intervalS: 300 } }],
  })
  const answer = await pipeline.send({ imei, secret }, [{ at: t.clock.now(), temperatureC: 9 }])
  expect(answer).toMatchObject({ accepted: 1, commands: [{ kind: 'interval', value: { intervalS: 300 } }] })
  const one = await t.call('GET', `/devices/${body.payload.id}`, { token: admin.token })
  expect(one.body.payload).toMatchObject({ status: 'live', judgement: { temperature: 'above' } })
  const entry = (await trailOf(t, admin.companyId)).at(-1)
  expect(entry).toMatchObject({ action: 'devices.added', target: { name: 'Pharmacy fridge' }, after: { imei } })
  expect(JSON.stringify(entry)).not.toContain(licenceKey)
})

test('nothing measured before the claim becomes the company’s', async () => {
  const admin = await buildUser(t)
  const hardware = await buildHardware(t)
  await setup(admin.token, { imei: hardware.imei, licenceKey: await buildKey(t), name: 'Fridge' })
  const before = new Date(t.clock.now().getTime() - 1)
  const answer = await pipeline.send(hardware, [
    { at: before, temperatureC: 5 },
    { at: t.clock.now(), temperatureC: 5 },
  ])
  expect(answer).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'NOT_ASSIGNED' }] })
})

describe('a claim is refused', () => {
  test('with a key nobody issued, whatever the device', async () => {
    const admin = await buildUser(t)
    const { imei } = await buildHardware(t)
    for (const licenceKey of ['ISO-0000-0000-0000-0000', 'x', "' or 1=1 --"]) {
      const { status, body } = await setup(admin.token, { imei, licenceKey, name: 'Fridge' })
      expect([status, body.code]).toEqual([400, 'LICENCE_INVALID'])
    }
  })

  test('for hardware the provider never had, and the key stays free', async () => {
    const admin = await buildUser(t)
    const licenceKey = await buildKey(t)
    const { status, body } = await setup(admin.token, { imei: newImei(), licenceKey, name: 'Fridge' })
    expect([status, body.code]).toEqual([400, 'CLAIM_REFUSED'])
    expect(await check(admin.token, licenceKey)).toMatchObject({ state: 'free', devicesFree: 1, expiresAt: null })
  })

  test('for a device in use, by oneself or by others, and the key stays free', async () => {
    const [admin, other] = [await buildUser(t), await buildUser(t)]
    const { imei } = await buildHardware(t)
    expect((await setup(admin.token, { imei, licenceKey: await buildKey(t), name: 'A' })).status).toBe(200)
    for (const { token } of [admin, other]) {
      const licenceKey = await buildKey(t)
      const { status, body } = await setup(token, { imei, licenceKey, name: 'B' })
      expect([status, body.code]).toEqual([400, 'CLAIM_REFUSED'])
      expect((await check(token, licenceKey)).state).toBe('free')
    }
  })

  test('with a key another company took, or that its devices have used up', async () => {
    const [admin, other] = [await buildUser(t), await buildUser(t)]
    const licenceKey = await buildKey(t, { devices: 2 })
    const claim = async ({ token }: { token: string }) => {
      const { imei } = await buildHardware(t)
      const { status, body } = await setup(token, { imei, licenceKey, name: 'Fridge' })
      return status === 200 ? 'ok' : body.code
    }
    expect(await claim(admin)).toBe('ok')
    expect(await claim(other)).toBe('LICENCE_USED')
    expect(await check(admin.token, licenceKey)).toMatchObject({ state: 'free', devices: 2, devicesFree: 1 })
    expect(await check(other.token, licenceKey)).toMatchObject({ state: 'used', devicesFree: 0, expiresAt: null })
    expect(await claim(admin)).toBe('ok')
    expect(await claim(admin)).toBe('LICENCE_USED')
    expect((await check(admin.token, licenceKey)).state).toBe('used')
  })

  test('with a key whose months are over', async () => {
    const admin = await buildUser(t)
    const licenceKey = await buildKey(t, { devices: 2, months: 1 })
    const claim = async (bearer: string) => {
      const { imei } = await buildHardware(t)
      return setup(bearer, { imei, licenceKey, name: 'Fridge' })
    }
    expect((await claim(admin.token)).status).toBe(200)
    t.clock.advance(32 * 86_400_000)
    const later = await token(t, admin)
    const { status, body } = await claim(later)
    expect([status, body.code]).toEqual([400, 'LICENCE_INVALID'])
    expect(await check(later, licenceKey)).toMatchObject({ state: 'expired', devicesFree: 1 })
  })

  test('when the subscription has run out', async () => {
    const admin = await buildUser(t)
    await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    const { imei } = await buildHardware(t)
    const { body } = await setup(admin.token, { imei, licenceKey: await buildKey(t), name: 'Fridge' })
    expect(body).toMatchObject({ code: 'SUBSCRIPTION_EXPIRED', message: 'Your subscription has expired, kindly renew' })
  })

  test('for a wrong check digit, unless that is overridden', async () => {
    const admin = await buildUser(t)
    const imei = newImei({ wrong: true })
    await buildHardware(t, { imei })
    const body = { imei, licenceKey: await buildKey(t), name: 'Fridge' }
    const refused = await setup(admin.token, body)
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['imei']])
    expect((await setup(admin.token, { ...body, overrideImeiCheck: true })).status).toBe(200)
  })

  test('for a probe the hardware does not have; its probes are devices of their own', async () => {
    const admin = await buildUser(t)
    const { imei } = await buildHardware(t, { probes: 2 })
    const licenceKey = await buildKey(t, { devices: 3 })
    const claim = (probe: number) => setup(admin.token, { imei, licenceKey, name: `Probe ${probe}`, probe })
    expect((await claim(1)).status).toBe(200)
    expect((await claim(2)).status).toBe(200)
    expect(Object.keys((await claim(3)).body.fields)).toEqual(['probe'])
    expect((await claim(2)).body.code).toBe('CLAIM_REFUSED')
  })
})

test('of many who claim one device at once, one wins', async () => {
  const { imei } = await buildHardware(t)
  const people = await Promise.all(Array.from({ length: 6 }, () => buildUser(t)))
  const keys = await Promise.all(people.map(() => buildKey(t)))
  const answers = await Promise.all(
    people.map(({ token }, i) => setup(token, { imei, licenceKey: keys[i], name: 'Fridge' })),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.code)).sort()
  expect(codes).toEqual([...Array(5).fill('CLAIM_REFUSED'), 'ok'])
})

test('of many companies that claim one key at once, one wins', async () => {
  const licenceKey = await buildKey(t, { devices: 5 })
  const people = await Promise.all(Array.from({ length: 5 }, () => buildUser(t)))
  const hardware = await Promise.all(people.map(() => buildHardware(t)))
  const answers = await Promise.all(
    people.map(({ token }, i) => setup(token, { imei: hardware[i]!.imei, licenceKey, name: 'Fridge' })),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.code)).sort()
  expect(codes).toEqual([...Array(4).fill('LICENCE_USED'), 'ok'])
})

test('a key for five devices serves five, however many are claimed at once', async () => {
  const admin = await buildUser(t)
  const licenceKey = await buildKey(t, { devices: 5 })
  const hardware = await Promise.all(Array.from({ length: 8 }, () => buildHardware(t)))
  const answers = await Promise.all(
    hardware.map(({ imei }, i) => setup(admin.token, { imei, licenceKey, name: `Fridge ${i}` })),
  )
  const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.code)).sort()
  expect(codes).toEqual([...Array(3).fill('LICENCE_USED'), ...Array(5).fill('ok')])
  const list = await t.call('GET', '/devices', { token: admin.token })
  expect(list.body.payload.meta.total).toBe(5)
})

test('a key is taken as people type it', async () => {
  const admin = await buildUser(t)
  const key = await buildKey(t)
  expect(key).toMatch(/^ISO(-[0-9A-HJKMNP-TV-Z]{4}){4}$/)
  for (const typed of [
    key.toLowerCase(),
    key.replaceAll('-', ' '),
    key.slice(4),
    key.replaceAll('0', 'O').replaceAll('1', 'l'),
  ])
    expect((await check(admin.token, typed)).state, typed).toBe('free')
  for (const typed of ['nothing', key.slice(0, -1), 'ISO', '%00'])
    expect((await check(admin.token, typed)).state, typed).toBe('unknown')
})

test('keys and secrets are kept only as hashes', async () => {
  const key = await buildKey(t)
  const { secret } = await buildHardware(t)
  const dump = JSON.stringify([
    (await t.pool.query('select * from licence_keys')).rows,
    (await t.pool.query('select * from hardware')).rows,
  ])
  expect(dump).not.toContain(key)
  expect(dump).not.toContain(secret)
  expect(dump).toContain(key.slice(-4))
})

test('every field that is wrong is named, and nothing is claimed', async () => {
  const company = await buildCompany(t)
  const { token: bearer } = await buildUser(t, { company })
  const { imei } = await buildHardware(t)
  const good = { imei, licenceKey: await buildKey(t), name: 'Fridge' }
  const wrong: [string, object][] = [
    ['imei', { imei: '12345' }],
    ['imei', { imei: Number(imei) }],
    ['imei', { imei: `${imei}\u0000` }],
    ['imei', { imei: [imei] }],
    ['imei', { imei: undefined }],
    ['licenceKey', { licenceKey: '' }],
    ['licenceKey', { licenceKey: 'x'.repeat(61) }],
    ['licenceKey', { licenceKey: null }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(81) }],
    ['name', { name: 'a\u0000b' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 'a\ud800b' }],
    ['name', { name: {} }],
    ['tag', { tag: 5 }],
    ['tag', { tag: 'x'.repeat(61) }],
    ['intervalS', { intervalS: 179 }],
    ['intervalS', { intervalS: 86_401 }],
    ['intervalS', { intervalS: 300.5 }],
    ['intervalS', { intervalS: '300' }],
    ['visibility', { visibility: 'everybody' }],
    ['limits', { limits: 'refrigerated' }],
    ['limits.preset', { limits: { preset: 'warm' } }],
    ['limits.preset', { limits: { preset: 'frozen', temperatureMinC: 2 } }],
    ['limits.temperatureMinC', { limits: { temperatureMinC: -201 } }],
    ['limits.temperatureMaxC', { limits: { temperatureMinC: 8, temperatureMaxC: 8.004 } }],
    ['limits.humidityMaxPct', { limits: { humidityMinPct: 60, humidityMaxPct: 50 } }],
    ['limits.humidityMinPct', { limits: { humidityMinPct: -1 } }],
    ['limits.colour', { limits: { colour: 'red' } }],
    ['probe', { probe: 0 }],
    ['probe', { probe: 17 }],
    ['overrideImeiCheck', { overrideImeiCheck: 'yes' }],
    ['companyId', { companyId: 1 }],
  ]
  for (const [field, change] of wrong) {
    const { status, body } = await setup(bearer, { ...good, ...change })
    expect([status, Object.keys(body.fields ?? {})], JSON.stringify(change)).toEqual([422, [field]])
  }
  const all = await setup(bearer, { imei: 'x', name: '', intervalS: 1, licenceKey: '' })
  expect(Object.keys(all.body.fields).sort()).toEqual(['imei', 'intervalS', 'licenceKey', 'name'])
  for (const body of ['null', '[]', '"x"', '{', '{}x'])
    expect(
      (await t.call('POST', '/devices/setup', { token: bearer, headers: { 'content-type': 'application/json' }, body }))
        .status,
    ).toBeLessThan(423)
  expect((await setup(bearer, good)).status).toBe(200)
})
