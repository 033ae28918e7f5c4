// @vitest-environment page
import { type Report, reports } from '@isotherm/contract/reports.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyOf, queryClient, refetchCalls } from '../../../lib/query.ts'
import { eventually, field, find, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { ReportListPage } from './list-page.tsx'

beforeEach(() => serve(({ path }) => ({ payload: path.includes('zones') ? [] : none })))
afterEach(leave)

const none = { data: [], meta: { page: 1, perPage: 25, total: 0, pageCount: 1 } }
const texts = { texts: ['reports', 'shared'] }

test('the form of a new report has an address, which opens it again and goes with it', async () => {
  logInAs('admin')
  const { address } = await show(<ReportListPage />, { ...texts, path: '/?edit=new' })
  await find('[role=dialog]', /Add report/)
  await press('Close')
  await eventually(() => expect(address()).toBe('/'))
  // The address changes before the screen does.
  await eventually(() => expect(document.querySelector('[role=dialog] form')).toBeNull())
  await press('Add report')
  await eventually(() => expect(address()).toBe('/?edit=new'))
  await find('[role=dialog]', /Add report/)
})

test('the address opens no form to those who only look', async () => {
  logInAs('staff')
  await show(<ReportListPage />, { ...texts, path: '/?edit=new' })
  await find('p, h2, h3, div', /report/i)
  expect(document.querySelector('[role=dialog]')).toBeNull()
})

const report: Report = {
  ...{ id: '5', name: 'Weekly fridges', cadence: 'weekly', weekday: 1, monthDay: 1, time: '07:00' },
  ...{ timezone: 'Africa/Lagos', devices: [], groups: [], contents: ['stats'], formats: ['pdf'], recipients: [] },
  ...{ privateDevices: [], privateDeviceCount: 0, locale: 'en', faults: [], paused: true, nextRunAt: null },
  ...{ nextPeriod: null, lastRun: null, owner: 'Ada', createdAt: '2026-11-20T12:00:00.000Z' },
  version: 1,
  updatedAt: '2026-11-20T12:00:00.000Z',
}

test('what was typed stays when the report leaves the page of the list', async () => {
  logInAs('admin')
  let listed = [report]
  const listPath = `${reports.list.path}?`
  serve(({ path }) => {
    const meta = { page: 1, perPage: 25, total: 30, pageCount: 2 }
    if (path.startsWith(listPath)) return { payload: { data: listed, meta } }
    // It takes its time.
    if (path === reports.one.path.replace(':id', '5')) return new Promise(() => undefined)
    return { payload: path === reports.timezones.path ? [] : { data: [], meta } }
  })
  await show(<ReportListPage />, { path: '/?edit=5', ...texts })
  const name = await field('Name')
  type(name, 'Weekly vans', { leave: false })
  listed = [{ ...report, id: '6', name: 'Another one' }]
  await refetchCalls(reports.list)
  const one = keyOf(reports.one, { params: { id: '5' } })
  await eventually(() => expect(queryClient.getQueryState(one)?.fetchStatus).toBe('fetching'))
  expect([name.isConnected, name.value]).toEqual([true, 'Weekly vans'])
})
