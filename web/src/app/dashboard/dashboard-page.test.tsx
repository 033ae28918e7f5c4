// @vitest-environment page
import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../test/show.tsx'
import { DashboardPage } from './dashboard-page.tsx'

const quiet = { open: { critical: 0, warning: 0 }, events: [], faulty: 0 }
const figures = (more: Partial<Dashboard>): Dashboard => ({
  at: '2026-11-20T12:00:00.000Z',
  devices: null,
  alarms: quiet,
  reports: { faulty: 0 },
  firstSteps: null,
  sampleDeviceId: null,
  wallets: null,
  licences: null,
  ...more,
})
const noDevices = {
  summary: { total: 0, byStatus: {}, inRange: 0, outOfRange: 0, silent: 0, tags: [] },
  ...{ excursionsNow: [], headingOut: [], events: [], needsAttention: [] },
} as unknown as Dashboard['devices']

const showDashboard = async (answer: Dashboard) => {
  const page = { data: [], meta: { page: 1, perPage: 6, total: 0, pageCount: 1 }, counts: {} }
  // The page shows a map of the whole fleet.
  const fleet = { at: answer.at, ids: [] }
  serve(({ path }) => ({
    payload: path.startsWith('/users/dashboard') ? answer : path.startsWith('/devices/positions') ? fleet : page,
  }))
  await show(<DashboardPage />, { texts: ['dashboard', 'alarms', 'triggers', 'devices', 'maps'] })
}

afterEach(leave)
logInAs('admin')

test.each([
  ['where there are devices no more', noDevices],
  ['to a role that may not see devices', null],
])('alarms and reports that reach nobody are named, with where to mend them: %s', async (_when, devices) => {
  await showDashboard(figures({ devices, alarms: { ...quiet, faulty: 2 }, reports: { faulty: 1 } }))
  const link = async (words: RegExp) => (await find('li[data-kind=faulty] a', words)).getAttribute('href')
  expect([await link(/2 alarms/), await link(/1 report/)]).toEqual([
    '/alarms/list?state=faulty',
    '/reports?state=faulty',
  ])
})

test('a fleet of none without them only offers the first device', async () => {
  await showDashboard(figures({ devices: noDevices }))
  await find('h2, h3, p', 'No devices yet')
  expect(document.querySelector('li[data-kind=faulty]')).toBeNull()
  expect(isShown('All well')).toBe(false)
})

test('devices that are neither live nor silent are told by their state, each with its list', async () => {
  const devices = noDevices as NonNullable<Dashboard['devices']>
  const byStatus = { ...devices.summary.byStatus, live: 3, late: 1, paused: 2, off: 0, expired: 1 }
  await showDashboard(figures({ devices: { ...devices, summary: { ...devices.summary, total: 7, byStatus } } }))
  const states = await find('ul', 'Devices in other states')
  const told = [...states.querySelectorAll('li')].map((each) => [
    each.textContent,
    each.querySelector('a')?.getAttribute('href'),
  ])
  expect(told).toEqual([
    ['Paused 2', '/devices/device-overview?status=paused'],
    ['Expired 1', '/devices/device-overview?status=expired'],
  ])
})

const withAlarms = (open: () => Record<string, unknown>) =>
  serve(({ path }) =>
    path.startsWith('/users/dashboard') ? { payload: figures({}) } : path.startsWith('/alarm-triggers') ? open() : {},
  )
const texts = { texts: ['dashboard', 'alarms', 'triggers', 'devices', 'maps'] }

test('that no alarm is open is not said while the open alarms cannot be loaded', async () => {
  withAlarms(() => ({ status: 500, code: 'INTERNAL', message: 'It failed' }))
  await show(<DashboardPage />, texts)
  await find('#open-alarms [role=alert]')
  expect(isShown('No alarm is open')).toBe(false)
})

test('that no alarm is open is not said while the open alarms are on their way', async () => {
  withAlarms(() => ({}))
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.includes('/alarm-triggers') ? new Promise(() => undefined) : fetch(url, init),
  )
  await show(<DashboardPage />, texts)
  await find('#open-alarms [role=status]')
  expect(isShown('No alarm is open')).toBe(false)
})

test('critical alarms that nobody has acknowledged lead to just those', async () => {
  await showDashboard(figures({ alarms: { ...quiet, open: { critical: 2, warning: 0 } } }))
  const link = await find('a', '2 critical alarms open')
  expect(new URL(link.getAttribute('href') ?? '', 'http://x').search).toBe('?severity=critical&state=open')
})
