import { afterEach, describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/claim-codes.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import { buildHardware, buildKey, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'
import { FailureLimit } from '../../platform/http/failure-limit.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const unlimited = { perAccount: 1e6, perCompany: 1e6, windowS: 60 }
afterEach(() => {
  t.services.claimFailures = new FailureLimit(unlimited)
})

const ask = (user: TestUser, method: 'POST' | 'PUT' | 'PATCH', path: string, body: object = {}) =>
  t.call(method, path, { token: user.token, body })
const minute = 60_000

/** All ways to hardware, each on a device, licence or file of its own. */
async function waysTo(user: TestUser) {
  const made = async () => {
    const own = await buildHardware(t)
    const body = { imei: own.imei, licenceKey: await buildKey(t), name: 'Own' }
    return { ...own, id: (await ask(user, 'POST', '/devices/setup', body)).body.payload.id as string }
  }
  const [swapped, retired] = [await made(), await made()]
  await ask(user, 'PUT', `/devices/${retired.id}/decommission`)
  const licenceKey = await buildKey(t, { devices: 5 })
  const bulk = async (imei: string, claimCode: string, dryRun: boolean) => {
    const csv = `imei,claimCode,licenceKey,name,probe\n${imei},${claimCode},${licenceKey},B,2`
    const answer = await ask(user, 'POST', '/devices/setup/bulk', { csv, dryRun })
    const [row] = answer.body.payload?.rows ?? []
    return row?.problems?.[0] ? { status: 400, code: row.problems[0], row } : { status: answer.status, code: null, row }
  }
  const said = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer
    return { status, code: body.code ?? null }
  }
  return {
    setup: (imei: string, claimCode = codeOf(imei)) =>
      said(ask(user, 'POST', '/devices/setup', { imei, claimCode, licenceKey, name: 'B', probe: 2 })),
    dryRun: (imei: string, claimCode = codeOf(imei)) => bulk(imei, claimCode, true),
    bulk: (imei: string, claimCode = codeOf(imei)) => bulk(imei, claimCode, false),
    swap: (newImei: string, claimCode = codeOf(newImei)) =>
      said(ask(user, 'POST', `/devices/${swapped.id}/swap`, { newImei, claimCode, probe: 2 })),
    restore: (imei: string, claimCode = codeOf(imei)) =>
      said(ask(user, 'PUT', `/devices/${retired.id}/restore`, { imei, claimCode, licenceKey })),
  }
}

async function claimed(user: TestUser, given: { probes?: number } = {}) {
  const hardware = await buildHardware(t, given)
  const body = { imei: hardware.imei, licenceKey: await buildKey(t), name: 'Mine' }
  const answer = await ask(user, 'POST', '/devices/setup', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  t.clock.advance(minute)
  return { ...hardware, id: answer.body.payload.id as string, newSecret: answer.body.payload.newSecret }
}

describe('hardware of one company', () => {
  test('gives another company no probe, by whatever call, even with the right code (C1)', async () => {
    const [owner, other] = [await buildUser(t), await buildUser(t)]
    const { imei } = await claimed(owner, { probes: 4 })
    const ways = await waysTo(other)
    for (const name of ['setup', 'dryRun', 'bulk', 'swap', 'restore'] as const)
      expect((await ways[name](imei)).status, name).toBe(400)
    const { body } = await t.call('GET', '/devices', { token: other.token })
    expect(body.payload.data.map((device: { imei: string }) => device.imei)).not.toContain(imei)
  })

  test('takes commands of its owner alone: another company’s never reach it (C1)', async () => {
    const [owner, other] = [await buildUser(t), await buildUser(t)]
    const device = await claimed(owner, { probes: 2 })
    const foreign = await claimed(other)
    for (const body of [{ transmission: 'paused' }, { intervalS: 86_400 }]) {
      expect((await ask(other, 'PATCH', `/devices/${device.id}`, body)).status).toBe(404)
      expect((await ask(other, 'PATCH', `/devices/${foreign.id}`, body)).status).toBe(200)
    }
    expect((await ask(other, 'PUT', '/power', { imei: device.imei, state: 'off' })).status).toBe(404)
    expect((await ask(other, 'PATCH', `/devices/${device.id}/flight-mode-direct`, { state: 'on' })).status).toBe(404)
    expect((await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 4 }])).commands).toEqual([])
    expect((await ask(owner, 'PUT', '/power', { imei: device.imei, state: 'off' })).status).toBe(200)
    expect((await pipeline.ack(device, [])).commands).toMatchObject([{ kind: 'power' }])
  })

  test('serves its owner with all its probes (C1)', async () => {
    const owner = await buildUser(t)
    const { imei } = await claimed(owner, { probes: 2 })
    const body = { imei, probe: 2, licenceKey: await buildKey(t), name: 'Second probe' }
    const second = await ask(owner, 'POST', '/devices/setup', body)
    expect([second.status, second.body.payload.newSecret]).toEqual([200, null])
  })

  test('goes to one of two companies that claim different probes at once (C1)', async () => {
    const { imei } = await buildHardware(t, { probes: 2 })
    const people = [await buildUser(t), await buildUser(t)]
    const keys = await Promise.all(people.map(() => buildKey(t)))
    const answers = await Promise.all(
      people.map((user, i) =>
        ask(user, 'POST', '/devices/setup', { imei, probe: i + 1, licenceKey: keys[i], name: 'Fridge' }),
      ),
    )
    expect(answers.map(({ status, body }) => (status === 200 ? 'ok' : body.code)).sort()).toEqual([
      'CLAIM_REFUSED',
      'ok',
    ])
  })
})

describe('the code of the label', () => {
  test('is needed by every call that claims, at its field (H2)', async () => {
    const user = await buildUser(t)
    const { imei } = await buildHardware(t)
    const device = await claimed(user)
    const missing = { claimCode: undefined }
    const setup = { imei, licenceKey: await buildKey(t), name: 'B', ...missing }
    await ask(user, 'PUT', `/devices/${(await claimed(user)).id}/decommission`)
    for (const answer of [
      await ask(user, 'POST', '/devices/setup', setup),
      await ask(user, 'POST', `/devices/${device.id}/swap`, { newImei: imei, ...missing }),
    ])
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['claimCode']])
    const mistyped = await ask(user, 'POST', '/devices/setup', { ...setup, claimCode: 'ABCD-EFGH-JKMN' })
    expect([mistyped.status, Object.keys(mistyped.body.fields)]).toEqual([422, ['claimCode']])
    const csv = `imei,licenceKey,name\n${imei},${setup.licenceKey},B`
    const { body } = await ask(user, 'POST', '/devices/setup/bulk', { csv, dryRun: true })
    expect(body.payload.rows[0].problems).toEqual([{ column: 'claimCode', message: 'This is needed.' }])
  })

  test('gets one answer whether hardware is unknown, in use, without a code, or the code is another’s (H2)', async () => {
    const [user, other] = [await buildUser(t), await buildUser(t)]
    const [taken, free, bare] = [await claimed(other, { probes: 2 }), await buildHardware(t), await buildHardware(t)]
    await t.pool.query('update hardware set claim_hash = null where imei = $1', [bare.imei])
    const ways = await waysTo(user)
    for (const name of ['setup', 'dryRun', 'bulk', 'swap', 'restore'] as const) {
      const unknown = newImei()
      const answers = [
        await ways[name](unknown),
        await ways[name](taken.imei),
        await ways[name](taken.imei, free.code),
        await ways[name](free.imei, taken.code),
        await ways[name](bare.imei),
      ].map(({ status, code }) => [status, code])
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, name).toBe(1)
      expect(answers[0]?.[0], name).toBe(400)
    }
  })

  test('is taken as people type it, and good again for the next owner (H2)', async () => {
    const [first, second] = [await buildUser(t), await buildUser(t)]
    const { imei, code } = await buildHardware(t)
    const typed = `${code.slice(0, 4)} ${code.slice(4, 8)}-${code.slice(8)}`.toLowerCase()
    const body = { imei, claimCode: typed, name: 'Fridge' }
    const answer = await ask(first, 'POST', '/devices/setup', { ...body, licenceKey: await buildKey(t) })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    await ask(first, 'PUT', `/devices/${answer.body.payload.id}/decommission`)
    t.clock.advance(minute)
    expect((await ask(second, 'POST', '/devices/setup', { ...body, licenceKey: await buildKey(t) })).status).toBe(200)
  })

  test('is kept as a hash only, and stands in no trail (H2)', async () => {
    const user = await buildUser(t)
    const { code } = await claimed(user)
    const dump = JSON.stringify((await t.pool.query('select * from hardware')).rows)
    expect(dump).not.toContain(code)
    expect(JSON.stringify(await trailOf(t, user.companyId))).not.toContain(code)
  })

  test('is not needed to go on with the hardware a device had last, until another company has had it (H2)', async () => {
    const [user, other] = [await buildUser(t), await buildUser(t)]
    const device = await claimed(user)
    const restore = () => ask(user, 'PUT', `/devices/${device.id}/restore`)
    const retire = async (whose: TestUser, id: string) => {
      await ask(whose, 'PUT', `/devices/${id}/decommission`)
      t.clock.advance(minute)
    }
    await retire(user, device.id)
    expect((await restore()).status).toBe(200)
    await retire(user, device.id)
    const body = { imei: device.imei, licenceKey: await buildKey(t), name: 'Theirs' }
    const theirs = await ask(other, 'POST', '/devices/setup', body)
    expect((await restore()).body.code).toBe('CLAIM_REFUSED')
    await retire(other, theirs.body.payload.id)
    expect((await restore()).body.code).toBe('CLAIM_REFUSED')
    const again = await ask(user, 'PUT', `/devices/${device.id}/restore`, { imei: device.imei })
    expect([again.status, again.body.payload?.newSecret]).toEqual([200, expect.stringMatching(/^[\w-]{27}$/)])
  })

  test('is not asked for where CLAIM_CODES is off', async () => {
    const off = await startTestApp({ claimCodes: false })
    try {
      const user = await buildUser(off)
      const { imei } = await buildHardware(off)
      await off.pool.query('update hardware set claim_hash = null')
      const body = { imei, claimCode: undefined, licenceKey: await buildKey(off), name: 'Fridge' }
      expect((await off.call('POST', '/devices/setup', { token: user.token, body })).status).toBe(200)
      // The hardware of a sample device is refused even then.
      const sample = (await off.call('POST', '/devices/sample', { token: user.token })).body.payload
      await off.call('DELETE', '/devices/sample', { token: user.token })
      const wanted = { ...body, imei: sample.imei, licenceKey: await buildKey(off) }
      const refused = await off.call('POST', '/devices/setup', { token: user.token, body: wanted })
      expect(refused.body.code).toBe('CLAIM_REFUSED')
    } finally {
      await off.close()
    }
  })
})

describe('refused claims are limited', () => {
  const windowS = 600

  test('for an account, whatever call it guesses by; then even the right code is not looked at (H2)', async () => {
    const user = await buildUser(t)
    const ways = await waysTo(user)
    t.services.claimFailures = new FailureLimit({ perAccount: 5, perCompany: 100, windowS })
    for (const name of ['setup', 'dryRun', 'bulk', 'swap', 'restore'] as const)
      expect((await ways[name](newImei())).status, name).toBe(400)
    const { imei } = await buildHardware(t, { probes: 2 })
    for (const name of ['setup', 'dryRun', 'bulk', 'swap', 'restore'] as const)
      expect((await ways[name](imei)).status, name).toBe(429)
    const refused = await ask(user, 'POST', '/devices/setup', { imei, licenceKey: await buildKey(t), name: 'B' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    t.clock.advance(windowS * 1000)
    expect((await ways.setup(imei)).status).toBe(200)
  })

  test('for all accounts of a company together, and of no other (H2)', async () => {
    const company = await buildCompany(t)
    const people = await Promise.all([1, 2, 3].map(() => buildUser(t, { company })))
    const stranger = await buildUser(t)
    t.services.claimFailures = new FailureLimit({ perAccount: 3, perCompany: 4, windowS })
    const licenceKey = await buildKey(t)
    const guess = async (user: TestUser) =>
      (await ask(user, 'POST', '/devices/setup', { imei: newImei(), licenceKey, name: 'B' })).status
    const answers = []
    for (const user of [...people, ...people]) answers.push(await guess(user))
    expect(answers).toEqual([400, 400, 400, 400, 429, 429])
    expect(await guess(stranger)).toBe(400)
  })

  test('row by row of a file, dry run or not; claims that succeed count nothing (H2)', async () => {
    const user = await buildUser(t)
    const licenceKey = await buildKey(t, { devices: 20 })
    t.services.claimFailures = new FailureLimit({ perAccount: 3, perCompany: 100, windowS })
    const send = async (imeis: string[]) => {
      const rows = imeis.map((imei) => `${imei},${codeOf(imei)},${licenceKey},B`).join('\n')
      const csv = `imei,claimCode,licenceKey,name\n${rows}`
      return (await ask(user, 'POST', '/devices/setup/bulk', { csv, dryRun: true })).status
    }
    const good = await Promise.all(Array.from({ length: 6 }, async () => (await buildHardware(t)).imei))
    expect([await send(good), await send(good), await send([newImei(), newImei(), newImei()])]).toEqual([200, 200, 200])
    expect(await send(good)).toBe(429)
  })

  test('questions about licence keys are limited, too (L24)', async () => {
    const limited = await startTestApp({
      rateLimits: { ...t.services.config.rateLimits, licence: { perAccount: 3, perAddress: 100, windowS: 60 } },
    })
    try {
      const { token } = await buildUser(limited)
      const guess = async () => (await limited.call('GET', '/license/ISO-0000-0000-0000-0000', { token })).status
      expect([await guess(), await guess(), await guess(), await guess()]).toEqual([200, 200, 200, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('hardware that changes hands', () => {
  const historyOf = async (user: TestUser, id: string) => {
    const now = t.clock.now().getTime()
    const query = { from: new Date(now - 86_400_000).toISOString(), to: new Date(now + 1).toISOString() }
    const { body } = await t.call('GET', `/devices/${id}/history`, { token: user.token, query })
    return body.payload.data.map((reading: { temperatureC: number }) => reading.temperatureC)
  }

  test('gets a new secret, told once; the former owner’s is worth nothing from then on (L28)', async () => {
    const [seller, buyer] = [await buildUser(t), await buildUser(t)]
    const sold = await claimed(seller)
    expect(sold.newSecret).toBeNull()
    await pipeline.send(sold, [{ at: t.clock.now(), temperatureC: 1 }])
    await ask(seller, 'PUT', `/devices/${sold.id}/decommission`)
    t.clock.advance(minute)
    const body = { imei: sold.imei, licenceKey: await buildKey(t), name: 'Bought' }
    const bought = (await ask(buyer, 'POST', '/devices/setup', body)).body.payload
    expect(bought.newSecret).toMatch(/^[\w-]{27}$/)
    const again = await t.call('GET', `/devices/${bought.id}`, { token: buyer.token })
    expect(JSON.stringify(again.body)).not.toContain(bought.newSecret)
    expect(JSON.stringify(await trailOf(t, buyer.companyId))).not.toContain(bought.newSecret)
    t.clock.advance(minute)
    const late = [{ at: t.clock.now(), temperatureC: 2 }]
    // The secret may still be in memory when the first message comes, and be forgotten by it: its readings are nobody's all the same.
    const first = await pipeline.send(sold, late).catch((error: Error) => error.message)
    if (typeof first === 'string') expect(first).toContain('401')
    else expect(first).toMatchObject({ accepted: 0, rejected: [{ code: 'NOT_ASSIGNED' }] })
    await expect(pipeline.send(sold, late)).rejects.toThrow('401')
    expect(await historyOf(buyer, bought.id)).toEqual([])
    await pipeline.send({ imei: sold.imei, secret: bought.newSecret }, [{ at: t.clock.now(), temperatureC: 3 }])
    expect(await historyOf(buyer, bought.id)).toEqual([3])
    expect(await historyOf(seller, sold.id)).toEqual([1])
  })

  test('keeps its secret while it stays with its company (L28)', async () => {
    const user = await buildUser(t)
    const device = await claimed(user)
    await ask(user, 'PUT', `/devices/${device.id}/decommission`)
    t.clock.advance(minute)
    const body = { imei: device.imei, licenceKey: await buildKey(t), name: 'Successor' }
    const successor = (await ask(user, 'POST', '/devices/setup', body)).body.payload
    expect(successor.newSecret).toBeNull()
    expect(await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 2 }])).toMatchObject({ accepted: 1 })
  })

  test('tells the new secret by file, swap and restore as well, and by no dry run (L28)', async () => {
    const [seller, buyer] = [await buildUser(t), await buildUser(t)]
    const sold = await Promise.all([1, 2, 3].map(() => claimed(seller)))
    const own = await claimed(buyer)
    for (const { id } of sold) await ask(seller, 'PUT', `/devices/${id}/decommission`)
    t.clock.advance(minute)
    const [first, second, third] = sold.map(({ imei }) => imei) as [string, string, string]
    const csv = `imei,claimCode,licenceKey,name\n${first},${codeOf(first)},${await buildKey(t)},B`
    const dry = await ask(buyer, 'POST', '/devices/setup/bulk', { csv, dryRun: true })
    expect(dry.body.payload.rows[0]).toMatchObject({ verdict: 'new', newSecret: null })
    const real = await ask(buyer, 'POST', '/devices/setup/bulk', { csv, dryRun: false })
    const swapped = await ask(buyer, 'POST', `/devices/${own.id}/swap`, { newImei: second })
    await ask(buyer, 'PUT', `/devices/${own.id}/decommission`)
    t.clock.advance(minute)
    const restored = await ask(buyer, 'PUT', `/devices/${own.id}/restore`, { imei: third })
    const secrets = [real.body.payload.rows[0], swapped.body.payload, restored.body.payload].map(
      ({ newSecret }) => newSecret,
    )
    expect(new Set(secrets).size).toBe(3)
    for (const [index, imei] of [first, second, third].entries())
      expect(await pipeline.ack({ imei, secret: secrets[index] }, [])).toMatchObject({ rejected: [] })
  })
})
