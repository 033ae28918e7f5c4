import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password, token } from '../../../test/factories.ts'
import { mailedToken, mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const newPassword = 'another good password'
const logIn = (email: string, secret: string) => t.call('POST', '/auth/login', { body: { email, password: secret } })
const forgot = (email: string) => t.call('POST', '/auth/forgotpassword', { body: { email } })
const reset = (link: string) => t.call('PATCH', `/auth/resetpassword/${link}`, { body: { password: newPassword } })

async function invited(locale = 'en') {
  const admin = await buildUser(t, { locale })
  const email = `invited${admin.id}@example.test`
  const body = { fullname: 'Kofi Mensah', email, role: 'staff' }
  const answer = await t.call('POST', '/users', { token: admin.token, body })
  return { admin, email, id: answer.body.payload.id as string, link: await mailedToken(t, email) }
}

test('a forgotten password is set anew by a mailed link, and every session ends', async () => {
  const user = await buildUser(t)
  const other = await token(t, user)
  expect((await forgot(user.email)).status).toBe(200)
  const link = await mailedToken(t, user.email)
  expect((await t.call('GET', `/auth/resetpassword/${link}`)).body.payload).toMatchObject({ email: user.email })
  expect((await reset(link)).status).toBe(200)
  for (const session of [user.token, other])
    expect((await t.call('GET', '/auth/profile', { token: session })).status).toBe(401)
  expect((await logIn(user.email, password)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await logIn(user.email, newPassword)).status).toBe(200)
  expect((await trailOf(t, user.companyId)).map((entry) => entry.action)).toContain('auth.passwordReset')
})

test('asking for a link answers alike for an unknown address, and mails nobody', async () => {
  const user = await buildUser(t)
  for (const path of ['/auth/forgotpassword', '/auth/verify/resend']) {
    const known = await t.call('POST', path, { body: { email: user.email } })
    const unknown = await t.call('POST', path, { body: { email: 'unknown@example.test' } })
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  }
  expect(await mailsTo(t, 'unknown@example.test')).toEqual([])
})

test('a password that is easy to guess is refused, and the link stays good (M11)', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const link = await mailedToken(t, user.email)
  const refused = await t.call('PATCH', `/auth/resetpassword/${link}`, { body: { password: 'Password123!' } })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['password']])
  const invitation = await invited()
  const body = { token: invitation.link, password: 'KofiMensah99' }
  const personal = await t.call('POST', '/users/setup', { body })
  expect([personal.status, Object.keys(personal.body.fields)]).toEqual([422, ['password']])
  expect((await reset(link)).status).toBe(200)
})

test('looking at a reset link, as mail scanners do, does not use it up; using it does', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const link = await mailedToken(t, user.email)
  for (let visit = 0; visit < 3; visit++) expect((await t.call('GET', `/auth/resetpassword/${link}`)).status).toBe(200)
  expect((await reset(link)).status).toBe(200)
  expect((await reset(link)).body.code).toBe('LINK_INVALID')
  expect((await t.call('GET', `/auth/resetpassword/${link}`)).body.code).toBe('LINK_INVALID')
})

test('who asks again ends no reset link; using one ends them all (L26)', async () => {
  const user = await buildUser(t)
  const links: string[] = []
  for (let round = 0; round < 6; round++) {
    await forgot(user.email)
    links.push(await mailedToken(t, user.email))
  }
  const good = async () => {
    const answers = await Promise.all(links.map((link) => t.call('GET', `/auth/resetpassword/${link}`)))
    return answers.map(({ status }) => status === 200)
  }
  // Five are enough: more is flooding.
  expect(await good()).toEqual([false, true, true, true, true, true])
  expect((await reset(links[1]!)).status).toBe(200)
  expect(await good()).toEqual(Array(6).fill(false))
})

test('a reset link expires', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const link = await mailedToken(t, user.email)
  t.clock.advance(3_600_000)
  expect((await reset(link)).body.code).toBe('LINK_INVALID')
})

test('tokens travel in bodies: to check a link and to use it (L4)', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const token = await mailedToken(t, user.email)
  const check = await t.call('POST', '/auth/resetpassword/check', { body: { token } })
  expect(check.body.payload).toEqual({ email: user.email })
  expect((await t.call('POST', '/auth/resetpassword', { body: { token, password: newPassword } })).status).toBe(200)
  expect((await logIn(user.email, newPassword)).status).toBe(200)
  const used = await t.call('POST', '/auth/resetpassword/check', { body: { token } })
  expect(used.body.code).toBe('LINK_INVALID')
  const { link, email } = await invited()
  const setup = await t.call('POST', '/users/setup/check', { body: { token: link } })
  expect(setup.body.payload).toEqual({ fullname: 'Kofi Mensah', email })
})

test('a link in a mail has its token after the #, which no server is sent (L4)', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const [mail] = await mailsTo(t, user.email)
  expect(mail?.text).toMatch(/\/reset#[\w-]{43}\n/)
})

test('opening a verification link, as mail scanners do, verifies nothing (L3)', async () => {
  const user = await buildUser(t)
  await t.pool.query('update identities set verified_at = null where id = $1', [user.identityId])
  await t.call('POST', '/auth/verify/resend', { body: { email: user.email } })
  const token = await mailedToken(t, user.email)
  const visit = await t.call('GET', `/auth/verify/${token}`)
  expect([visit.status, visit.body.payload]).toEqual([200, { email: user.email }])
  expect((await logIn(user.email, password)).body.code).toBe('EMAIL_NOT_VERIFIED')
  expect((await t.call('POST', '/auth/verify', { body: { token } })).status).toBe(200)
  expect((await logIn(user.email, password)).status).toBe(200)
})

test('a link of one kind does not work as another', async () => {
  const user = await buildUser(t)
  await forgot(user.email)
  const link = await mailedToken(t, user.email)
  expect((await t.call('POST', '/auth/verify', { body: { token: link } })).body.code).toBe('LINK_INVALID')
  expect((await t.call('POST', '/users/setup', { body: { token: link, password: newPassword } })).body.code).toBe(
    'LINK_INVALID',
  )
})

test('resetting the password also verifies the address: the mail was read', async () => {
  const user = await buildUser(t)
  await t.pool.query('update identities set verified_at = null where id = $1', [user.identityId])
  await forgot(user.email)
  await reset(await mailedToken(t, user.email))
  expect((await logIn(user.email, newPassword)).status).toBe(200)
})

test('verifying may be repeated while the link lives', async () => {
  const user = await buildUser(t)
  await t.pool.query('update identities set verified_at = null where id = $1', [user.identityId])
  await t.call('POST', '/auth/verify/resend', { body: { email: user.email } })
  const link = await mailedToken(t, user.email)
  const verify = () => t.call('POST', '/auth/verify', { body: { token: link } })
  for (let visit = 0; visit < 3; visit++) expect((await verify()).status).toBe(200)
  const verified = (await trailOf(t, user.companyId)).filter((entry) => entry.action === 'auth.verified')
  expect(verified).toHaveLength(1)
  t.clock.advance(3 * 86_400_000)
  expect((await verify()).body.code).toBe('LINK_INVALID')
  expect((await t.call('GET', `/auth/verify/${link}`)).body.code).toBe('LINK_INVALID')
})

test('no verification mail goes to who is verified already', async () => {
  const user = await buildUser(t)
  await t.call('POST', '/auth/verify/resend', { body: { email: user.email } })
  expect(await mailsTo(t, user.email)).toEqual([])
})

test('an invited person sees whom the invitation is for, sets a password and logs in', async () => {
  const { email, link, id, admin } = await invited()
  const check = await t.call('GET', `/users/setup/${link}/verify`)
  expect(check.body.payload).toEqual({ fullname: 'Kofi Mensah', email })
  const setup = await t.call('POST', '/users/setup', { body: { token: link, password: newPassword } })
  expect(setup.body.payload).toEqual({ fullname: 'Kofi Mensah', email })
  expect((await logIn(email, newPassword)).body.payload.user).toMatchObject({ id, role: 'staff' })
  const list = await t.call('GET', '/users', { token: admin.token, query: { search: email } })
  expect(list.body.payload.data[0].status).toBe('active')
})

test('of two who use an invitation at once exactly one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const { link, email } = await invited()
    const passwords = ['the first password', 'the other password']
    const answers = await Promise.all(
      passwords.map((each) => t.call('POST', '/users/setup', { body: { token: link, password: each } })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
    const winner = answers.findIndex((answer) => answer.status === 200)
    expect((await logIn(email, passwords[winner]!)).status).toBe(200)
    expect((await logIn(email, passwords[1 - winner]!)).body.code).toBe('INVALID_CREDENTIALS')
  }
})

test('an invitation is dead after the person was removed', async () => {
  const { admin, id, link } = await invited()
  await t.call('DELETE', `/users/${id}`, { token: admin.token })
  expect((await t.call('GET', `/users/setup/${link}/verify`)).body.code).toBe('LINK_INVALID')
})

test('an invitation is dead once the person got in by a forgotten password', async () => {
  const { email, link } = await invited()
  await forgot(email)
  expect((await reset(await mailedToken(t, email))).status).toBe(200)
  expect((await t.call('POST', '/users/setup', { body: { token: link, password: newPassword } })).status).toBe(400)
  expect((await logIn(email, newPassword)).status).toBe(200)
})

test('the database holds nothing that a mailed link could be made from', async () => {
  const { link } = await invited()
  const { rows } = await t.pool.query('select row_to_json(m)::text as row from mail_tokens m')
  expect(rows.some(({ row }) => row.includes(link))).toBe(false)
})
