import { afterEach, expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { loadConfig } from '../config/config.ts'

// The one test file that runs with the limits we ship.
const shipped = loadConfig({}).rateLimits

const t = describeApp({ rateLimits: shipped })
afterEach(() => void vi.useRealTimers())

let addresses = 0
/** An address nobody has called from yet. */
const newAddress = () => {
  addresses += 1
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}
let networks = 0
/** An address in a network of its own. */
const newNetwork = () => {
  networks += 1
  return `11.${networks >> 8}.${networks & 255}.7`
}
const logIn = (email: string, address: string, secret = 'not the password', app = t) =>
  app.call('POST', '/auth/login', { address, body: { email, password: secret } })
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))]

test('guesses at one account from one network are limited, whichever of its addresses they come from', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [user, other] = [await buildUser(t), await buildUser(t)]
  expect(statuses(await times(10, (index) => logIn(user.email, `12.0.0.${index}`)))).toEqual([400])
  const address = '12.0.0.99'
  const refused = await logIn(user.email, address, password)
  expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(900)
  expect(refused.body.message).toBe(`Too many tries. Try again in ${wait} s.`)
  expect((await logIn(other.email, address, password)).status).toBe(200)
  vi.setSystemTime(Date.now() + wait * 1000)
  expect((await logIn(user.email, address, password)).status).toBe(200)
})

test('an outsider’s wrong passwords keep nobody out who logs in from elsewhere (M5)', async () => {
  const user = await buildUser(t)
  const outsider = newNetwork()
  const answers = await times(12, () => logIn(user.email, outsider))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(400), 429, 429])
  expect((await logIn(user.email, newNetwork(), password)).status).toBe(200)
})

test('right passwords do not count, however many (M5)', async () => {
  const user = await buildUser(t)
  const address = newNetwork()
  expect(statuses(await times(8, () => logIn(user.email, address)))).toEqual([400])
  for (let round = 0; round < 12; round++) expect((await logIn(user.email, address, password)).status).toBe(200)
  await t.pool.query('update identities set verified_at = null where id = $1', [user.identityId])
  expect((await logIn(user.email, address, password)).body.code).toBe('EMAIL_NOT_VERIFIED')
  expect(statuses(await times(2, () => logIn(user.email, address)))).toEqual([400])
  expect((await logIn(user.email, address)).status).toBe(429)
})

test('guesses from everywhere meet a pause that doubles; who has logged in from a network before passes it (M5)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const login = { perAccount: 2, perAddress: 60, windowS: 900 }
  const app = await startTestApp({ rateLimits: { ...shipped, login } })
  const user = await buildUser(app)
  const guess = () => logIn(user.email, newNetwork(), 'not the password', app)
  expect((await logIn(user.email, '13.0.0.1', password, app)).status).toBe(200)
  expect(statuses(await times(20, guess))).toEqual([400])
  for (const pauseS of [2, 4, 8]) {
    expect((await guess()).status).toBe(400)
    const refused = await logIn(user.email, '13.9.0.1', password, app)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(pauseS)])
    expect((await logIn(user.email, '13.0.0.200', password, app)).status).toBe(200)
    vi.setSystemTime(Date.now() + pauseS * 1000)
  }
  // A caller who was refused unseen has not guessed.
  expect((await logIn(user.email, '13.9.0.1', password, app)).status).toBe(200)
  await app.close()
})

test('of an account’s networks the database keeps hashes, and only the latest twenty (M5)', async () => {
  const user = await buildUser(t)
  for (let round = 0; round < 22; round++) {
    t.clock.advance(1_000)
    expect((await logIn(user.email, `14.0.${round}.1`, password)).status).toBe(200)
  }
  const { rows } = await t.pool.query('select network_hash from known_networks where identity_id = $1', [
    user.identityId,
  ])
  expect(rows).toHaveLength(20)
  expect(rows.every(({ network_hash }) => network_hash.length === 32)).toBe(true)
})

test('an unknown account is limited just the same', async () => {
  const address = newNetwork()
  await times(10, () => logIn('nobody@example.test', address))
  expect((await logIn('nobody@example.test', address)).status).toBe(429)
})

test('a flood of other accounts does not end a block (M6)', async () => {
  const ask = () =>
    t.call('POST', '/auth/forgotpassword', { address: newAddress(), body: { email: 'flooded@example.test' } })
  expect(statuses(await times(5, ask))).toEqual([200])
  for (let other = 0; other < 10_000; other++) t.app.counters.take(`mail:account:other${other}@example.test`, 3_600_000)
  expect((await ask()).status).toBe(429)
})

test('guesses from one address are limited whichever accounts they are at', async () => {
  const address = newAddress()
  expect(statuses(await times(60, (index) => logIn(`guess${index}@example.test`, address)))).toEqual([400])
  expect((await logIn('guess60@example.test', address)).status).toBe(429)
  expect((await logIn('guess61@example.test', newAddress())).status).toBe(400)
})

test('input that says nothing is counted by address as well', async () => {
  const address = newAddress()
  const visit = () => t.call('POST', '/auth/login', { address, body: { email: 7 } })
  expect(statuses(await times(60, visit))).toEqual([422])
  expect((await visit()).status).toBe(429)
})

test('one household of IPv6 addresses counts as one', async () => {
  const visit = (address: string) => t.call('GET', '/auth/verify/none', { address })
  await times(60, (index) => visit(`2001:db8:0:7::${index.toString(16)}`))
  expect((await visit('2001:db8:0:7:ffff::1')).status).toBe(429)
  expect((await visit('2001:db8:0:8::1')).status).toBe(400)
})

test('a client cannot choose its address, unless a trusted proxy names it; who comes past the proxy is no proxy (M4)', async () => {
  const visit = (app: TestApp, address: string, index: number) =>
    app.call('GET', '/auth/verify/none', { address, headers: { 'x-forwarded-for': `203.0.113.${index}` } })
  const address = newAddress()
  expect(statuses(await times(60, (index) => visit(t, address, index)))).toEqual([400])
  expect((await visit(t, address, 60)).status).toBe(429)
  const behindProxy = await startTestApp({ rateLimits: shipped, trustProxy: 1 })
  expect(statuses(await times(61, (index) => visit(behindProxy, '127.0.0.1', index)))).toEqual([400])
  const direct = '198.51.100.9'
  expect(statuses(await times(60, (index) => visit(behindProxy, direct, index)))).toEqual([400])
  expect((await visit(behindProxy, direct, 60)).status).toBe(429)
  await behindProxy.close()
})

test('mails to one address are limited, known or not', async () => {
  const user = await buildUser(t)
  for (const email of [user.email, 'stranger@example.test']) {
    const ask = () => t.call('POST', '/auth/forgotpassword', { address: newAddress(), body: { email } })
    expect(statuses(await times(5, ask))).toEqual([200])
    expect((await ask()).status).toBe(429)
  }
})

test('guesses at links and at the current password are limited', async () => {
  const address = newAddress()
  const link = (index: number) => t.call('GET', `/auth/resetpassword/guess${index}`, { address })
  expect(statuses(await times(60, link))).toEqual([400])
  expect((await link(60)).status).toBe(429)
  const user = await buildUser(t)
  const body = { currentPassword: 'not the password', newPassword: 'another good password' }
  const guess = () => t.call('PATCH', '/auth/user/password', { address: newAddress(), token: user.token, body })
  expect(statuses(await times(10, guess))).toEqual([400])
  expect((await guess()).status).toBe(429)
})

test('who signs many records in a row is not taken for a guesser', async () => {
  const user = await buildUser(t)
  const body = { meaning: 'approved', reason: 'Fine', password }
  const sign = () =>
    t.call('POST', '/enterprise/record/999999/signatures', { address: newAddress(), token: user.token, body })
  expect(statuses(await times(40, sign))).toEqual([404])
})

test('a call without a session takes a form, not a megabyte, and counts before its body is read (L22)', async () => {
  const address = newAddress()
  const ask = (size: number) =>
    t.call('POST', '/auth/login', { address, body: { email: 'a@b.test', password: 'x'.repeat(size) } })
  expect((await ask(70_000)).body.code).toBe('BODY_TOO_LARGE')
  expect((await ask(60_000)).status).toBe(422)
  expect(statuses(await times(58, () => ask(70_000)))).toEqual([413])
  expect((await ask(70_000)).status).toBe(429)
})

test('what is nested deeper than anything is malformed, without being parsed (L22)', async () => {
  const user = await buildUser(t)
  const answer = await t.app.inject({
    method: 'POST',
    url: '/app/api/v1/groups',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    payload: '['.repeat(1_000_000),
  })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'MALFORMED_BODY'])
})
