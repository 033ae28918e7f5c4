// @vitest-environment happy-dom
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { expect, test, vi } from 'vitest'
import { ownPushes, pushSubscription } from './push-subscription.ts'
import { logIn, logOut } from './session.ts'

const logInAs = (id: string) =>
  logIn({
    tokens: { accessToken: `token of ${id}` },
    user: {
      ...{ id, fullname: 'Ada', email: 'ada@example.test', phone: null, role: 'staff', timezone: 'UTC', locale: 'en' },
      ...{ loginCount: 1, lastLoginAt: null, roleModulePermissions: defaultMatrix.staff },
    } as never,
    company: {} as never,
    isShowTermsAndConditions: false,
    mustEnrol: false,
  })

/** A browser whose subscription lasts until it is ended. */
function browserThatIsSubscribed() {
  let subscription: object | null = {
    unsubscribe: async () => {
      subscription = null
      return true
    },
  }
  vi.stubGlobal('PushManager', {})
  const registration = { pushManager: { getSubscription: async () => subscription } }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => registration },
  })
  localStorage.clear()
}

async function subscribedAs(id: string) {
  logOut({ isOver: true })
  await pushSubscription()
  browserThatIsSubscribed()
  logInAs(id)
  await pushSubscription()
  ownPushes()
}

test('a session that expires keeps the pushes for the next login of its person', async () => {
  await subscribedAs('7')
  logOut({ isOver: true })
  expect(await pushSubscription()).not.toBeNull()
  logInAs('7')
  expect(await pushSubscription()).not.toBeNull()
})

test('another person who logs in after that does not get the pushes of the former one', async () => {
  await subscribedAs('7')
  logOut({ isOver: true })
  logInAs('8')
  expect(await pushSubscription()).toBeNull()
  expect(localStorage.getItem('isotherm.push-owner')).toBeNull()
})

test('a logout by hand ends the pushes, and forgets whose they were', async () => {
  await subscribedAs('7')
  logOut()
  expect(await pushSubscription()).toBeNull()
  expect(localStorage.getItem('isotherm.push-owner')).toBeNull()
})
