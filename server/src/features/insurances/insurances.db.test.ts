import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { anInsurancePlan, pdfBytes } from '../../../test/insurance-factory.ts'
import { anOrder, type MadeOrder } from '../../../test/order-factory.ts'
import { sweepInsurances } from '../../core/orders/ask-insurer.ts'
import { refuseUninsured } from '../../core/orders/insurance.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'

/** The insurer of `real`: what it was asked, and what it answers. */
const asked: { method: string; reference: string; body: Record<string, unknown> }[] = []
let answer: { status: number; body: object }
const peer = createServer(async (request, response) => {
  const body = await text(request)
  asked.push({
    method: String(request.method),
    reference: String(request.url).split('/').at(-1) ?? '',
    body: body ? JSON.parse(body) : {},
  })
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})
await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
const secret = 'a secret of sixteen signs'
const trial = describeApp({ insurer: { account: null, offlineDelayMs: 60_000 } })
const alone = describeApp()
const real = describeApp({ insurer: { account: { url, secret }, offlineDelayMs: null } })
afterAll(() => void peer.close())
beforeEach(() => {
  asked.length = 0
  answer = { status: 200, body: { state: 'pending' } }
})

type App = typeof trial
const day = 86_400_000

interface Scene {
  app: App
  user: TestUser
  order: MadeOrder
  plan: { id: number }
}
/** An order of goods worth 500.00 NGN, and a plan for them. */
async function scene(app: App, more: Parameters<typeof anInsurancePlan>[1] = {}): Promise<Scene> {
  const user = await buildUser(app)
  const made = { companyId: user.companyId, more: { created_by: user.id } }
  return { app, user, order: await anOrder(app, made), plan: await anInsurancePlan(app, more) }
}
const send = ({ app, user, order }: Scene, method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) =>
  app.call(method, `/dispatch/orders/${order.id}/insurance${path}`, { token: user.token, body })
const buy = (of: Scene) => send(of, 'POST', '', { planId: String(of.plan.id) })
const cancel = (of: Scene) => send(of, 'PATCH', '/cancel', { reason: 'Goes without' })
const details = async ({ app, user, order }: Scene) =>
  (await app.call('GET', `/dispatch/orders/${order.id}`, { token: user.token })).body.payload
const startRefusal = ({ app, user: { companyId }, order }: Scene) =>
  inTenant(app.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId, clock: app.clock }
    return refuseUninsured(ctx, await findOrder(ctx, order.id)).then(
      () => null,
      (error) => [error.code, error.values.reason].filter(Boolean).join(' '),
    )
  })
const eventsOf = async ({ app, order }: Scene): Promise<string[]> =>
  (await app.rows('select kind from order_events where order_id = $1 order by id', [order.id])).map(({ kind }) => kind)
const iso = (app: App, ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()

test('the plans for goods are those whose bounds fit, with the premium by rate or at least the smallest', async () => {
  const { token } = await buildUser(trial)
  const ask = async (query: string) =>
    (await trial.call('GET', `/enterprise/insurances?${query}`, { token })).body.payload as {
      name: string
      premium: number
    }[]
  const found = async (query: string) =>
    (await ask(`currency=XOF&${query}`)).map(({ name, premium }) => [name, premium])
  const plan = { currency: 'XOF', rate_bp: 25, max_worth: '1000000' }
  await anInsurancePlan(trial, { ...plan, name: 'Small', min_premium: '500' })
  await anInsurancePlan(trial, { ...plan, name: 'Large', min_worth: '200000', max_worth: '9000000' })
  await anInsurancePlan(trial, { ...plan, name: 'Gone', retired_at: trial.clock.now() })
  expect(await found('productWorth=100000')).toEqual([['Small', 500]])
  // 0.25 % of 1,000,000 is 2,500; of 200,001 it is 500.0025.
  expect(await found('productWorth=1000000')).toEqual([
    ['Large', 2500],
    ['Small', 2500],
  ])
  expect(await found('productWorth=200001')).toEqual([
    ['Large', 500],
    ['Small', 500],
  ])
  expect(await found('productWorth=9000001')).toEqual([])
  expect((await trial.call('GET', '/enterprise/insurances', { token })).status).toBe(422)
})

test('insuring an order puts the premium into its price, untaxed, and cancelling takes it out', async () => {
  const of = await scene(trial, { rate_bp: 100 })
  const lines = [{ kind: 'delivery', label: null, amount: 1_000, isTaxed: true }]
  const taxes = [{ name: 'VAT', basisPoints: 750, amount: 75 }]
  const price = {
    currency: 'NGN',
    lines,
    net: 1_000,
    taxes,
    taxNote: null,
    taxCountry: 'NG',
    taxSince: null,
    isTaxVerified: false,
    total: 1_075,
  }
  await trial.change(of.user.companyId, 'update orders set price = $1, currency = $2 where id = $3', [
    JSON.stringify(price),
    'NGN',
    of.order.id,
  ])
  expect((await buy(of)).body.payload).toMatchObject({
    state: 'requested',
    worth: 50_000,
    premium: 500,
    planName: 'Cold cargo',
  })
  expect(await details(of)).toMatchObject({ insurance: 'requested', total: 1_575, price: { net: 1_500, taxes } })
  expect((await buy(of)).body.code).toBe('ALREADY_INSURED')
  expect((await cancel(of)).body.payload).toMatchObject({ state: 'void', reason: 'Goes without' })
  expect((await details(of)).price).toEqual(price)
  expect((await cancel(of)).body.code).toBe('NOT_INSURED')
  expect((await buy(of)).status).toBe(200)
  expect(await eventsOf(of)).toEqual(['insuranceRequested', 'insuranceVoid', 'insuranceRequested'])
})

test('a plan in another currency, for another worth or for another country does not fit', async () => {
  const refused = async (more: Parameters<typeof anInsurancePlan>[1]) => (await buy(await scene(trial, more))).body.code
  expect(await refused({ max_worth: '49999' })).toBe('PLAN_NOT_FITTING')
  expect(await refused({ countries: ['GH'] })).toBe('PLAN_NOT_FITTING')
  expect(await refused({ countries: ['GH', 'NG'] })).toBeUndefined()
  const of = await scene(trial)
  await trial.change(of.user.companyId, `update orders set currency = 'KES' where id = $1`, [of.order.id])
  expect((await buy(of)).body.code).toBe('PLAN_NOT_FITTING')
})

test('an order that has started is not insured, and its insurance is not cancelled', async () => {
  const of = await scene(trial)
  await trial.change(of.user.companyId, `update orders set state = 'inProgress', started_at = now() where id = $1`, [
    of.order.id,
  ])
  expect((await buy(of)).body.code).toBe('INSURANCE_TOO_LATE')
  expect((await cancel(of)).body.code).toBe('INSURANCE_TOO_LATE')
})

test('an insured order starts only once the certificate is there, or the insurance is cancelled', async () => {
  const of = await scene(trial)
  expect(await startRefusal(of)).toBeNull()
  await buy(of)
  await trial.runJobs()
  expect(await startRefusal(of)).toBe('INSURANCE_PENDING')
  trial.clock.advance(59_000)
  await sweepInsurances.run(trial.services, {})
  expect(await startRefusal(of)).toBe('INSURANCE_PENDING')
  trial.clock.advance(2_000)
  await sweepInsurances.run(trial.services, {})
  expect(await startRefusal(of)).toBeNull()
  const { insuranceDetails: insured } = await details(of)
  expect(insured).toMatchObject({
    state: 'certified',
    hasCertificate: true,
    policyNumber: expect.stringMatching(/^TRIAL-/),
  })
  const file = await trial.call('GET', `/dispatch/insurances/${insured.id}/certificate`, { token: of.user.token })
  expect(file.headers['content-type']).toBe('application/pdf')
  expect(String(file.body)).toMatch(/^%PDF-1\.4/)
  expect((await trial.mails()).at(-1)).toMatchObject({ to: of.user.email })

  // Goods that are worth more by now, and days that have passed, are not covered.
  await trial.change(of.user.companyId, 'update order_items set worth = worth + 1 where order_id = $1', [of.order.id])
  expect(await startRefusal(of)).toBe('INSURANCE_MISMATCH worth')
  await cancel(of)
  expect(await startRefusal(of)).toBeNull()
})

test('without an insurer nobody certifies: the order waits for an upload, and says so', async () => {
  const of = await scene(alone)
  await buy(of)
  await alone.runJobs()
  alone.clock.advance(day)
  await sweepInsurances.run(alone.services, {})
  expect(await startRefusal(of)).toBe('INSURANCE_PENDING')
  expect((await details(of)).insuranceDetails).toMatchObject({
    state: 'requested',
    isAsked: false,
    hasCertificate: false,
  })
})

test('a certificate is uploaded as a PDF that covers the goods from their departure to their delivery', async () => {
  const of = await scene(trial)
  const given = (more: object = {}) => ({
    ...{ file: new SentFile('policy.pdf', pdfBytes as Buffer<ArrayBuffer>), policyNumber: 'LW/77', worth: '50000' },
    ...{ currency: 'NGN', validFrom: iso(trial, -day), validTo: iso(trial, 3 * day), ...more },
  })
  const upload = (more: object = {}) => send(of, 'PUT', '/certificate', given(more))
  expect((await upload()).body.code).toBe('NOT_INSURED')
  await buy(of)
  expect((await upload({ file: new SentFile('policy.pdf', 'MZ') })).body.code).toMatch(/^FILE_/)
  expect((await upload({ file: new SentFile('policy.txt', 'covered') })).body.code).toBe('FILE_REFUSED')
  const mismatch = async (more: object) => {
    const { body } = await upload(more)
    return `${body.code}: ${body.message}`
  }
  expect(await mismatch({ worth: '49999' })).toBe(
    'INSURANCE_MISMATCH: The insurance certificate does not cover this order: the goods are worth more than it covers.',
  )
  expect(await mismatch({ currency: 'KES' })).toContain('another currency')
  expect(await mismatch({ validFrom: iso(trial, 3_600_000) })).toContain('not valid yet')
  expect(await mismatch({ validTo: iso(trial, 3_600_000) })).toContain('ends before the delivery')
  expect((await upload({ validTo: iso(trial, -2 * day) })).status).toBe(422)
  expect((await upload()).body.payload).toMatchObject({
    state: 'certified',
    policyNumber: 'LW/77',
    hasCertificate: true,
  })
  const [kept] = await trial.rows(
    `select encode(certificate_sha256, 'hex') = encode(sha256($1), 'hex') as same, certified_by from order_insurances where order_id = $2`,
    [pdfBytes, of.order.id],
  )
  expect(kept).toEqual({ same: true, certified_by: of.user.fullname })
  expect(await startRefusal(of)).toBeNull()
  // The same again changes nothing; another one is not needed.
  expect((await upload()).status).toBe(200)
  expect((await upload({ policyNumber: 'LW/78' })).body.code).toBe('ALREADY_INSURED')
  expect(await eventsOf(of)).toEqual(['insuranceRequested', 'insuranceCertified'])
})

const referenceOf = async ({ app, order }: Scene): Promise<string> =>
  (await app.rows('select reference from order_insurances where order_id = $1', [order.id]))[0]?.reference

/** An event of the insurer, signed at an age. */
function event(body: object, { ageS = 0, key = secret } = {}) {
  const payload = JSON.stringify(body)
  const seconds = Math.floor(real.clock.now().getTime() / 1_000) - ageS
  const hex = createHmac('sha256', key).update(`${seconds}.${payload}`).digest('hex')
  return real.app.inject({
    ...{ method: 'POST', url: '/app/api/v1/insurer-events', payload },
    headers: { 'content-type': 'application/json', 'insurance-signature': `t=${seconds},v1=${hex}` },
  })
}
const certified = (reference: string, more: object = {}) => ({
  ...{ reference, state: 'certified', policyNumber: 'LW/1', worth: 50_000, currency: 'NGN' },
  ...{ validFrom: iso(real, -day), validTo: iso(real, 3 * day), certificatePdf: pdfBytes.toString('base64'), ...more },
})

test('the insurer is asked once the purchase is committed, and again until it answers', async () => {
  answer = { status: 503, body: {} }
  const of = await scene(real)
  expect((await buy(of)).status).toBe(200)
  expect(asked).toEqual([])
  await expect(real.runJobs()).rejects.toThrow('503')
  expect(asked).toMatchObject([{ method: 'PUT', body: { worth: 50_000, premium: 165, goods: ['2 x Vaccine box'] } }])
  answer = { status: 200, body: certified(await referenceOf(of)) }
  await sweepInsurances.run(real.services, {})
  expect(await startRefusal(of)).toBeNull()
  expect(asked.map(({ reference }) => reference)).toEqual(Array(2).fill(await referenceOf(of)))
  await sweepInsurances.run(real.services, {})
  expect(asked).toHaveLength(2)
})

test('an event that the insurer has not signed, or long ago, is refused', async () => {
  const of = await scene(real)
  await buy(of)
  const body = certified(await referenceOf(of))
  expect((await event(body, { key: 'another secret of signs' })).statusCode).toBe(401)
  expect((await event(body, { ageS: 301 })).statusCode).toBe(401)
  expect((await event(body, { ageS: -301 })).statusCode).toBe(401)
  const bare = { method: 'POST', url: '/app/api/v1/insurer-events', payload: body } as const
  expect((await real.app.inject(bare)).statusCode).toBe(401)
  expect(await startRefusal(of)).toBe('INSURANCE_PENDING')
  expect((await event({ ...body, worth: 'much' })).statusCode).toBe(400)
  expect((await event(certified('4b8a03d9-0000-4000-8000-000000000000'))).statusCode).toBe(404)
})

test('a certificate of the insurer counts once, and one that covers too little is made good by the next', async () => {
  const of = await scene(real)
  await buy(of)
  const reference = await referenceOf(of)
  expect((await event(certified(reference, { worth: 49_999 }))).statusCode).toBe(200)
  expect(await startRefusal(of)).toBe('INSURANCE_MISMATCH worth')
  const good = certified(reference, { policyNumber: 'LW/2' })
  expect((await event(good)).statusCode).toBe(200)
  expect((await event(good)).statusCode).toBe(200)
  expect(await startRefusal(of)).toBeNull()
  expect(await eventsOf(of)).toEqual(['insuranceRequested', 'insuranceCertified', 'insuranceCertified'])
})

test('a certificate for a cancelled order is kept and insures nothing, and people are told', async () => {
  const of = await scene(real)
  await buy(of)
  await cancel(of)
  await real.runJobs()
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', reference: await referenceOf(of) })
  expect((await event(certified(await referenceOf(of)))).statusCode).toBe(200)
  expect((await details(of)).insuranceDetails).toMatchObject({
    state: 'void',
    policyNumber: 'LW/1',
    hasCertificate: true,
  })
  expect((await real.mails()).at(-1)).toMatchObject({
    to: of.user.email,
    subject: 'Certificate of a cancelled insurance',
  })
})

test('an order that the insurer declines does not start before its insurance is cancelled', async () => {
  const of = await scene(real)
  await buy(of)
  const declined = { reference: await referenceOf(of), state: 'declined', reason: 'No cover for this lane' }
  expect((await event(declined)).statusCode).toBe(200)
  expect((await details(of)).insuranceDetails).toMatchObject({ state: 'declined', reason: 'No cover for this lane' })
  expect(await startRefusal(of)).toBe('INSURANCE_MISMATCH declined')
  expect((await real.mails()).at(-1)?.text).toContain('No cover for this lane')
  await cancel(of)
  expect(await startRefusal(of)).toBeNull()
})
