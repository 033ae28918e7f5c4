// @vitest-environment page
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { expect, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { applyErrorRules } from './error-rules.ts'
import { pushSubscription, subscribeHere } from './push-subscription.ts'
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

type Unsubscribe = () => Promise<boolean>
const options = { applicationServerKey: 'a key' }
let made = 0

/** A browser that makes a subscription where it has none; its `unsubscribe` may fail. */
function aBrowser() {
  const browser = { subscription: null as object | null, fails: null as Unsubscribe | null }
  const unsubscribe = async () => {
    if (browser.fails) return browser.fails()
    browser.subscription = null
    return true
  }
  const subscribe = async () => {
    browser.subscription ??= { endpoint: `https://push.example.test/${++made}`, unsubscribe }
    return browser.subscription
  }
  vi.stubGlobal('PushManager', {})
  const registration = { pushManager: { getSubscription: async () => browser.subscription, subscribe } }
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
  })
  localStorage.clear()
  return browser
}

async function subscribedAs(id: string) {
  logOut({ isOver: true })
  await pushSubscription()
  const browser = aBrowser()
  logInAs(id)
  const { endpoint } = await subscribeHere(options)
  return { browser, endpoint }
}

const failures: [string, Unsubscribe][] = [
  ['throws', () => Promise.reject(new Error('no network'))],
  ['says no', async () => false],
]

test('a session that expires keeps the pushes for the next login of its person', async () => {
  const { browser } = await subscribedAs('7')
  logOut({ isOver: true })
  expect([await pushSubscription(), browser.subscription]).toEqual([null, expect.anything()])
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

test('a logout by refused rights keeps the pushes for its person, who has not asked for it', async () => {
  await subscribedAs('7')
  applyErrorRules(new CallError(403, 'FORBIDDEN', 'No.'), { toastAll: false, sentToken: true })
  logInAs('7')
  expect(await pushSubscription()).not.toBeNull()
})

test.each(failures)(
  'where the browser %s as it should end a subscription, the next person does not take it over',
  async (_, fails) => {
    const { browser, endpoint } = await subscribedAs('7')
    browser.fails = fails
    logOut()
    logInAs('8')
    expect(await pushSubscription()).toBeNull()
    await expect(subscribeHere(options)).rejects.toThrow()
    expect(await pushSubscription()).toBeNull()
    browser.fails = null
    const own = await subscribeHere(options)
    expect(own.endpoint).not.toBe(endpoint)
    expect(await pushSubscription()).toBe(own)
  },
)

test('a subscription that could not be ended at a logout by hand ends at the next login, of the same person too', async () => {
  const { browser } = await subscribedAs('7')
  browser.fails = async () => false
  logOut()
  await pushSubscription()
  browser.fails = null
  logInAs('7')
  expect(await pushSubscription()).toBeNull()
  expect(browser.subscription).toBeNull()
})

test('a subscription that was made for nobody knows whom is not taken over', async () => {
  const { browser, endpoint } = await subscribedAs('7')
  logOut({ isOver: true })
  localStorage.clear()
  logInAs('8')
  expect(await pushSubscription()).toBeNull()
  expect(browser.subscription).toBeNull()
  expect((await subscribeHere(options)).endpoint).not.toBe(endpoint)
})
