import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession, logIn, logOut, onLoggedOut } from './session.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    clear: () => stored.clear(),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const user = {
  id: '7',
  fullname: 'Ada Obiora',
  email: 'ada@example.test',
  phone: '+2348012345678',
  role: 'staff' as const,
  timezone: 'Africa/Lagos',
  locale: 'fr' as const,
  loginCount: 3,
  lastLoginAt: null,
  roleModulePermissions: defaultMatrix.staff,
}
const logInAs = () =>
  logIn({
    tokens: { accessToken: 'a token' },
    user,
    company: {} as never,
    isShowTermsAndConditions: false,
    mustEnrol: false,
  })
test('the browser stores what the shell needs at once, but no name, mail address or phone (L19)', () => {
  logInAs()
  expect(getSession().profile).toEqual(user)
  const text = [...stored.values()].join()
  for (const part of ['a token', 'staff', 'Africa/Lagos', 'fr', 'addOrEdit']) expect(text).toContain(part)
  for (const part of [user.fullname, user.email, user.phone]) expect(text).not.toContain(part)
})

test('whoever hears of the end of a session gets its token, unless the server has ended it, and whether it was by hand', () => {
  const heard: unknown[] = []
  const stop = onLoggedOut((ending) => void heard.push(ending))
  logInAs()
  logOut()
  logInAs()
  logOut({ isOver: true })
  logInAs()
  logOut({ isByHand: false })
  stop()
  expect(heard).toEqual([
    { token: 'a token', isByHand: true },
    { token: null, isByHand: false },
    { token: 'a token', isByHand: false },
  ])
  expect(stored.size).toBe(0)
})
