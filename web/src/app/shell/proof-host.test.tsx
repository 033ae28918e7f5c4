// @vitest-environment page
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { users } from '@isotherm/contract/users.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../lib/call.ts'
import { canAskForProof, settleProof } from '../../lib/proof.ts'
import { dismissErrors, getToasts } from '../../lib/toast.ts'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../test/show.tsx'
import { ProofHost } from './proof-host.tsx'

beforeEach(() => logInAs('admin'))
afterEach(() => {
  settleProof(false)
  leave()
  dismissErrors()
  vi.unstubAllGlobals()
})

const matrix = defaultMatrix.staff
const change = () => call(users.changeRole, { params: { role: 'staff' }, body: { modulePermissions: matrix } })

/** A server that wants a proof, which one password gives. */
function wantsProof() {
  let isProved = false
  return serve(({ path, body }) => {
    if (path === '/auth/proof' && body === undefined) return { payload: { methods: ['password'] } }
    if (path === '/auth/proof') {
      isProved = (body as { password: string }).password === 'right'
      return isProved
        ? { payload: { done: true } }
        : { status: 400, code: 'WRONG_PASSWORD', message: 'Wrong password.' }
    }
    if (isProved) return { payload: { role: 'staff', modulePermissions: matrix } }
    return { status: 400, code: 'PROOF_NEEDED', message: 'Please confirm that it is you.' }
  })
}

async function showHost() {
  await show(<ProofHost />, { texts: ['security'] })
  await eventually(() => expect(canAskForProof()).toBe(true))
}

const made = (requests: { path: string }[]) => requests.filter(({ path }) => path === '/roles/staff').length

test('a call that wants a proof asks for one, once for all that wait, and is made again', async () => {
  const requests = wantsProof()
  await showHost()
  const answers = Promise.all([change(), change()])
  type(await field('Your password'), 'wrong')
  await press('Confirm')
  await find('p, div', 'Wrong password.')
  type(await field('Your password'), 'right')
  await press('Confirm')
  expect(await answers).toMatchObject([{ role: 'staff' }, { role: 'staff' }])
  await eventually(() => expect(isShown('Confirm that it is you')).toBe(false))
  expect(made(requests)).toBe(4)
  expect(getToasts()).toEqual([])
})

test('who would not prove it is told nothing more, and the call is not made again', async () => {
  const requests = wantsProof()
  await showHost()
  const answer = change()
  const refused = expect(answer).rejects.toMatchObject({ code: 'PROOF_NEEDED' })
  await find('h2', 'Confirm that it is you')
  await press('Cancel')
  await refused
  expect(made(requests)).toBe(1)
  expect(getToasts()).toEqual([])
})

test('where nobody can be asked the call is refused', async () => {
  wantsProof()
  await show(<p>page</p>)
  await expect(change()).rejects.toMatchObject({ code: 'PROOF_NEEDED' })
})

test('a call that wants a proof by single sign-on offers that way only', async () => {
  serve(({ path }) =>
    path === '/auth/proof'
      ? { payload: { methods: ['code', 'sso', 'recoveryCode'] } }
      : { status: 400, code: 'SSO_PROOF_NEEDED', message: 'Please confirm by single sign-on that it is you.' },
  )
  await showHost()
  const refused = expect(change()).rejects.toMatchObject({ code: 'SSO_PROOF_NEEDED' })
  await find('button', 'Confirm by single sign-on')
  expect(isShown('Use a recovery code')).toBe(false)
  expect(isShown('Code of your authenticator app')).toBe(false)
  settleProof(false)
  await refused
  expect(getToasts()).toEqual([])
})
