// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { LogsPage } from './logs-page.tsx'

const none = {
  ...{ data: [], meta: { page: 1, perPage: 25, total: 0, pageCount: 1 } },
  filterCounts: { feature: { all: 0 } },
}
const showPage = (path: string) => show(<LogsPage />, { path, texts: ['audit'] })

afterEach(leave)
logInAs('admin')

test('a first day after the last is said in the words of every picker, and no other period is shown', async () => {
  const requests = serve(() => ({ payload: none }))
  await showPage('/?from=2026-11-20&to=2026-11-19')
  await find('p, div', 'Start Date must be before End Date!')
  expect(requests).toEqual([])
})

test('the days in the address are asked for whole, as days of the person', async () => {
  const requests = serve(() => ({ payload: none }))
  await showPage('/?from=2026-11-19&to=2026-11-19')
  await eventually(() => expect(requests).toHaveLength(1))
  const asked = new URL(requests[0]?.path ?? '', 'http://x').searchParams
  expect([asked.get('from'), asked.get('to')]).toEqual(['2026-11-18T23:00:00.000Z', '2026-11-19T22:59:59.999Z'])
})

test('each area says how many entries it has, those without any are not offered', async () => {
  serve(() => ({ payload: { ...none, filterCounts: { feature: { all: 12, devices: 9, users: 3, auth: 0 } } } }))
  await showPage('/')
  await find('button', /Devices\s*9/)
  expect([isShown('Users'), isShown('Sign-in')]).toEqual([true, false])
})
