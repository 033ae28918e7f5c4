import type { Page } from 'playwright-core'
import type { OneOfEverything } from './one-of-everything.ts'

export type Ids = OneOfEverything['ids']

/** Where a route is looked at, if not at its own address. */
export interface Screen {
  at?: (ids: Ids) => string
  /** It lists rows: a low window shows four of them, at once or, where a row says much, when the head has moved away. */
  rows?: 'at once' | 'below the head'
}

/** The screens without a login. */
export const guestScreens: Record<string, Screen> = {
  '/login': {},
  '/login/sso': {},
  '/login/sso/$companyId': { at: () => '/login/sso/1' },
  '/signup': {},
  '/forgotpassword': {},
  '/reset': { at: () => '/reset#stale' },
  '/usersetup': { at: () => '/usersetup#stale' },
  '/verify': { at: () => '/verify#any' },
  '/acknowledge': { at: () => '/acknowledge#stale' },
  '/404': {},
  '/link-over': {},
  '/verify-proof': {},
  '/verify-report/$key': { at: () => '/verify-report/unknown' },
}

export const sessionScreens: Record<string, Screen> = {
  '/dashboard': {},
  '/maps': {},
  '/compare': { at: ({ device }) => `/compare?devices=${device}` },
  '/devices/device-overview': { rows: 'below the head' },
  '/devices/setupdevice/$deviceId': { at: () => '/devices/setupdevice/new' },
  '/devices/setup-from-file': {},
  '/devices/rejected': { rows: 'at once' },
  '/devices/$deviceId/details': { at: ({ device }) => `/devices/${device}/details` },
  '/devices/$deviceId/excursions': { at: ({ device }) => `/devices/${device}/excursions`, rows: 'below the head' },
  '/devices/$deviceId/settings': { at: ({ device }) => `/devices/${device}/settings` },
  '/devices/report/$deviceId': { at: ({ device }) => `/devices/report/${device}` },
  '/devices/device-sessions': { rows: 'at once' },
  '/devices/device-session/$sessionId/history': { at: ({ session }) => `/devices/device-session/${session}/history` },
  '/excursions': { rows: 'at once' },
  '/groups': { rows: 'at once' },
  '/groups/$groupId/overview': { at: ({ group }) => `/groups/${group}/overview` },
  '/groups/$groupId/group-chart': { at: ({ group }) => `/groups/${group}/group-chart` },
  '/groups/$groupId/devices': { at: ({ group }) => `/groups/${group}/devices`, rows: 'at once' },
  '/groups/$groupId/users': { at: ({ group }) => `/groups/${group}/users`, rows: 'at once' },
  '/groups/$groupId/settings': { at: ({ group }) => `/groups/${group}/settings` },
  '/groups/$groupId/records': { at: ({ group }) => `/groups/${group}/records`, rows: 'at once' },
  '/groups/$groupId/records/$recordId': { at: ({ group, groupRecord }) => `/groups/${group}/records/${groupRecord}` },
  '/dispatch/order/$orderId': { at: ({ order }) => `/dispatch/order/${order}` },
  '/records': { rows: 'at once' },
  '/records/$recordId': { at: ({ record }) => `/records/${record}` },
  '/alarms/triggered-alarms': { rows: 'below the head' },
  '/alarms/list': { rows: 'at once' },
  '/alarms/on-call': {},
  '/alarms/add-alarm-page': {},
  '/alarms/$alarmId/details': { at: ({ alarm }) => `/alarms/${alarm}/details` },
  '/alarms/$alarmId/settings': { at: ({ alarm }) => `/alarms/${alarm}/settings` },
  '/developers': {},
  '/dispatch/contacts': { rows: 'at once' },
  '/dispatch/drivers': { rows: 'at once' },
  '/dispatch/drivers/$driverId': { at: ({ driver }) => `/dispatch/drivers/${driver}` },
  '/dispatch/vehicles': { rows: 'below the head' },
  '/dispatch/partners': { rows: 'at once' },
  '/export/dispatch': { rows: 'below the head' },
  '/export/dispatch/add-shipment': {},
  '/export/dispatch/shipment/$shipmentId': { at: ({ shipment }) => `/export/dispatch/shipment/${shipment}` },
  '/export/dispatch/origin': { rows: 'at once' },
  '/export/dispatch/destination': { rows: 'at once' },
  '/export/dispatch/partners': { rows: 'at once' },
  '/export/calibrations': { rows: 'at once' },
  '/export/scorecards': {},
  '/export/settings': {},
  '/dispatch/overview': { rows: 'below the head' },
  '/dispatch/add-dispatch': {},
  '/reports': { rows: 'below the head' },
  '/logs': { rows: 'below the head' },
  '/wallet/overview': {},
  '/wallet/details': {},
  '/wallet/history': { rows: 'at once' },
  '/wallet/settings': {},
  '/subscription/devices': { rows: 'below the head' },
  '/subscription/licences': { rows: 'below the head' },
  '/support': { rows: 'below the head' },
  '/support/features': {},
  '/subscription/invoices': { rows: 'at once' },
  '/subscription/cards': {},
  '/users/all-users': { rows: 'at once' },
  '/users/permissions': { at: () => '/users/permissions?role=manager' },
  '/settings/profile': {},
  '/settings/changepassword': {},
  '/settings/security': {},
  '/settings/businessprofile': {},
  '/settings/chart-settings': {},
  '/settings/sharing': {},
  '/settings/security/sso': {},
  '/settings/warranty': {},
  '/settings/decommissioned-devices': { rows: 'at once' },
}

/** The parts of a shipment that its address names, besides the first one. */
export const shipmentTabs = ['conditions', 'devices', 'treatment', 'documents', 'events', 'ppecb', 'epcis', 'links']

/** Resolves once the screen has its heading and nothing on it is loaded any more. */
export async function settle(page: Page) {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label], [aria-busy=true]') === null)
}

/**
 * Goes on within the app that is open, over the page of an unknown address: each screen is made anew, and the app is not read again.
 * `unknown`: the heading of that page, in another language than English.
 */
export async function goOn(page: Page, address: string, unknown = 'Page not found'): Promise<void> {
  const push = (to: string) => page.evaluate((to) => history.pushState({}, '', to), to)
  const heading = page.getByRole('heading', { name: unknown })
  // Only an app that is there hears of another address.
  await page.locator('h1').first().waitFor()
  await push('/404')
  await heading.waitFor()
  await push(address)
  // A person who may not see the screen is led back to that page.
  await page.waitForFunction(
    (unknown) => location.pathname === '/404' || document.querySelector('h1')?.textContent !== unknown,
    unknown,
  )
}
