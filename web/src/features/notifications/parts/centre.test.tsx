// @vitest-environment page
import { notifications } from '@isotherm/contract/notifications.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { dismissErrors, getToasts } from '../../../lib/toast.ts'
import { eventually, find, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { Centre } from './centre.tsx'

afterEach(() => {
  leave()
  dismissErrors()
  vi.unstubAllGlobals()
})

test('marking all as read says when it failed', async () => {
  logInAs('admin')
  serve(({ path }) =>
    path === notifications.read.path
      ? { status: 503, code: 'NOT_READY', message: 'The server is not ready.' }
      : { payload: { data: [], unread: 3, message: null, next: null, meta: { total: 0, pageCount: 1 } } },
  )
  await show(<Centre opened onClose={() => undefined} />, { texts: ['notifications'] })
  const button = (await find('button', 'Mark all as read')) as HTMLButtonElement
  await eventually(() => expect(button.disabled).toBe(false))
  await press('Mark all as read')
  await eventually(() => expect(getToasts().map(({ text }) => text)).toEqual(['The server is not ready.']))
})
