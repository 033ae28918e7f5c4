import { termsVersion } from '@isotherm/contract/auth.ts'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password, token } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()

const newPassword = 'another good password'
const changePassword = (session: string, currentPassword: string, next: string) =>
  t.call('PATCH', '/auth/user/password', { token: session, body: { currentPassword, newPassword: next } })

test('a changed password ends the other sessions and keeps this one', async () => {
  const user = await buildUser(t)
  const other = await token(t, user)
  expect((await changePassword(user.token, password, newPassword)).status).toBe(200)
  expect((await t.call('GET', '/auth/profile', { token: user.token })).status).toBe(200)
  expect((await t.call('GET', '/auth/profile', { token: other })).status).toBe(401)
  const logIn = (secret: string) => t.call('POST', '/auth/login', { body: { email: user.email, password: secret } })
  expect((await logIn(password)).status).toBe(400)
  expect((await logIn(newPassword)).status).toBe(200)
})

test('changing the password needs the current one, and a different one that is not easy to guess (M11)', async () => {
  const user = await buildUser(t)
  expect((await changePassword(user.token, 'not the password', newPassword)).body.code).toBe('WRONG_PASSWORD')
  expect((await changePassword(user.token, password, password)).body.code).toBe('SAME_PASSWORD')
  expect((await changePassword(user.token, password, 'short')).status).toBe(422)
  const guessable = await changePassword(user.token, password, '1234567890')
  expect([guessable.status, Object.keys(guessable.body.fields)]).toEqual([422, ['newPassword']])
})

test('the personal profile changes field by field, and the trail keeps before and after', async () => {
  const user = await buildUser(t, { role: 'staff' })
  const body = { fullname: 'Wanjiru', timezone: 'Africa/Nairobi', locale: 'sw', phone: '+254712345678' }
  const answer = await t.call('PATCH', '/auth/user/profile', { token: user.token, body })
  expect(answer.body.payload).toMatchObject({ ...body, email: user.email, role: 'staff' })
  await t.call('PATCH', '/auth/user/profile', { token: user.token, body: { phone: null } })
  const { payload } = (await t.call('GET', '/auth/profile', { token: user.token })).body
  expect(payload.user).toMatchObject({ fullname: 'Wanjiru', phone: null })
  const [first, second] = await trailOf(t, user.companyId)
  expect(first).toMatchObject({ before: { timezone: 'UTC' }, after: { timezone: 'Africa/Nairobi', locale: 'sw' } })
  expect(second).toMatchObject({ before: { phone: '+254712345678' }, after: { phone: null } })
})

test('refusals come in the language of the profile', async () => {
  const user = await buildUser(t, { locale: 'fr' })
  const answer = await changePassword(user.token, 'not the password', newPassword)
  expect(answer.body.message).toBe('Le mot de passe actuel est incorrect.')
})

test('terms that have changed since they were accepted are shown again', async () => {
  const user = await buildUser(t)
  const shown = async () =>
    (await t.call('GET', '/auth/profile', { token: user.token })).body.payload.isShowTermsAndConditions
  const accept = () => t.call('PATCH', '/auth/updateTerms', { token: user.token, body: { termsAndConditions: true } })
  await accept()
  expect(await shown()).toBe(false)
  await inTenant(t.pool, user.companyId, ({ tx }) =>
    tx
      .updateTable('users')
      .set({ terms_version: termsVersion - 1 })
      .where('id', '=', user.id)
      .execute(),
  )
  expect(await shown()).toBe(true)
  await accept()
  expect(await shown()).toBe(false)
  expect((await trailOf(t, user.companyId)).at(-1)).toMatchObject({ after: { termsVersion } })
})

test('terms accepted once are not shown again', async () => {
  const user = await buildUser(t)
  const accept = () => t.call('PATCH', '/auth/updateTerms', { token: user.token, body: { termsAndConditions: true } })
  expect((await accept()).status).toBe(200)
  t.clock.advance(1_000)
  expect((await accept()).status).toBe(200)
  const { payload } = (await t.call('GET', '/auth/profile', { token: user.token })).body
  expect(payload.isShowTermsAndConditions).toBe(false)
  const refused = await t.call('PATCH', '/auth/updateTerms', { token: user.token, body: { termsAndConditions: false } })
  expect(refused.status).toBe(422)
})
