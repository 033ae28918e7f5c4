import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { mailedToken, mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'
import { sweepUnverified } from '../../core/people/unverified.ts'

const t = describeApp()

const form = (email: string) => ({
  companyName: 'Cold Chain Ltd',
  fullname: 'Ada Obi',
  email,
  password: 'a long enough password',
  phone: '+2348012345678',
  country: 'NG',
  timezone: 'Africa/Lagos',
  locale: 'fr',
})
const register = (email: string) => t.call('POST', '/auth/register', { body: form(email) })
const logIn = (email: string, secret: string) => t.call('POST', '/auth/login', { body: { email, password: secret } })
const companies = async () => (await t.rows('select count(*)::int as n from companies'))[0]?.n

test('registering creates a company and its Admin, who can log in once the address is verified', async () => {
  const email = 'ada@example.test'
  expect((await register(email)).body.payload).toEqual({ email })
  expect((await logIn(email, form(email).password)).body.code).toBe('EMAIL_NOT_VERIFIED')
  const verified = await t.call('POST', '/auth/verify', { body: { token: await mailedToken(t, email) } })
  expect(verified.body.payload).toEqual({ email })
  const { payload } = (await logIn(email, form(email).password)).body
  expect(payload).toMatchObject({
    user: { fullname: 'Ada Obi', role: 'admin', timezone: 'Africa/Lagos', locale: 'fr', loginCount: 1 },
    company: { name: 'Cold Chain Ltd', country: 'NG', profileCompleted: false, subscriptionExpired: false },
    isShowTermsAndConditions: true,
  })
  expect((await trailOf(t, Number(payload.company.id))).map((entry) => entry.action)).toEqual([
    'company.registered',
    'auth.refused',
    'auth.verified',
    'auth.loggedIn',
  ])
})

test('the verification mail speaks the language chosen and is escaped', async () => {
  const email = 'mailed@example.test'
  await t.call('POST', '/auth/register', { body: { ...form(email), companyName: '<b>Cold</b> & Co' } })
  const [mail] = await mailsTo(t, email)
  expect(mail?.subject).toBe('Vérifiez votre adresse e-mail pour Isotherm')
  expect(mail?.text).toContain('<b>Cold</b> & Co')
  expect(mail?.html).not.toContain('<b>Cold</b>')
})

test('registering with a known address answers alike, creates nothing and mails the owner', async () => {
  const owner = await buildUser(t)
  const before = await companies()
  const answer = await register(owner.email)
  expect([answer.status, answer.body]).toEqual([200, { success: true, payload: { email: owner.email } }])
  expect(await companies()).toBe(before)
  const mails = await mailsTo(t, owner.email)
  expect(mails.map((mail) => mail.subject)).toEqual(['You already have an Isotherm account'])
  expect((await logIn(owner.email, form('').password)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await logIn(owner.email, password)).status).toBe(200)
})

test('a registration that was not verified within three days gives the address back (L5)', async () => {
  const email = 'slow@example.test'
  await register(email)
  const first = await mailedToken(t, email)
  t.clock.advance(3 * 86_400_000 - 1)
  await register(email)
  expect((await mailsTo(t, email)).at(-1)?.subject).toBe('Vous avez déjà un compte Isotherm')
  t.clock.advance(1)
  expect((await register(email)).status).toBe(200)
  const second = await mailedToken(t, email)
  expect((await t.call('POST', '/auth/verify', { body: { token: first } })).body.code).toBe('LINK_INVALID')
  expect((await t.call('POST', '/auth/verify', { body: { token: second } })).status).toBe(200)
  t.clock.advance(30 * 86_400_000)
  await register('forgotten@example.test')
  t.clock.advance(3 * 86_400_000)
  expect(await sweepUnverified(t.services)).toBeGreaterThan(0)
  expect((await logIn('forgotten@example.test', form('').password)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await logIn(email, form('').password)).status).toBe(200)
})

test('a company’s or person’s name with a link in it is refused (L6)', async () => {
  const names = { companyName: 'WIN a prize at http://evil.test', fullname: 'www.evil.test' }
  const { status, body } = await t.call('POST', '/auth/register', { body: { ...form('l6@example.test'), ...names } })
  expect([status, Object.keys(body.fields).sort()]).toEqual([422, ['companyName', 'fullname']])
  expect(await mailsTo(t, 'l6@example.test')).toEqual([])
})

test('of two registrations with one address at once one wins, the other is told by mail', async () => {
  const email = 'twice@example.test'
  const before = await companies()
  const answers = await Promise.all([register(email), register(email)])
  expect(answers.map((answer) => answer.status)).toEqual([200, 200])
  expect(await companies()).toBe(before + 1)
  expect(await mailsTo(t, email)).toHaveLength(2)
})

test('a password that is easy to guess is refused at its field, before anything is made or mailed (M11)', async () => {
  const email = 'guessable@example.test'
  for (const [password, text] of [
    ['qwertyuiop', /guessed first/],
    ['coldchain2026', /your company/],
  ] as const) {
    const { status, body } = await t.call('POST', '/auth/register', { body: { ...form(email), password } })
    expect([status, Object.keys(body.fields)]).toEqual([422, ['password']])
    expect(body.fields.password[0]).toMatch(text)
  }
  expect(await mailsTo(t, email)).toEqual([])
})

test('a form that is wrong says so for every field at once, in the language asked for', async () => {
  const { status, body } = await t.call('POST', '/auth/register', {
    body: { fullname: 'x'.repeat(121), email: 'nobody', password: 'short', phone: '12', admin: true },
    headers: { 'accept-language': 'es-MX,es;q=0.9' },
  })
  expect(status).toBe(422)
  expect(Object.keys(body.fields).sort()).toEqual(['admin', 'companyName', 'email', 'fullname', 'password', 'phone'])
  expect(body.messages).toHaveLength(6)
  expect(body.fields.phone).toEqual(['Este número de teléfono no es válido'])
})
