// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { ReportListPage } from './list-page.tsx'

// A text field that grows waits for fonts, of which happy-dom has none.
Object.assign(document, { fonts: new EventTarget() })
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
