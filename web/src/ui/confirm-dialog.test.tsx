// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { logOut } from '../lib/session.ts'
import { dismissToast, getToasts, toastSuccess } from '../lib/toast.ts'
import { eventually, find, isShown, leave, logInAs, press, serve, show } from '../test/show.tsx'
import { closeConfirmation, confirm, getConfirmation } from './confirm.ts'
import { closeNewSecret, showNewSecret } from './new-secret.ts'

afterEach(() => {
  closeConfirmation()
  closeNewSecret()
  leave()
  vi.unstubAllGlobals()
  for (const { id } of getToasts()) dismissToast(id)
})

const ask = (run: () => Promise<unknown>) =>
  confirm({ title: 'Delete Van 3?', text: 'Its readings go too.', action: 'Delete', destructive: true, run })

test('nothing is done unless somebody says so', async () => {
  const run = vi.fn(async () => undefined)
  await show(<p>page</p>)
  ask(run)
  await find('h2', 'Delete Van 3?')
  await press('Cancel')
  await eventually(() => expect(isShown('Delete Van 3?')).toBe(false))
  expect(run).not.toHaveBeenCalled()
})

test('it stays and says so where the deed fails, and goes where it succeeds', async () => {
  let fails = true
  await show(<p>page</p>)
  ask(async () => {
    if (fails) throw new Error('no')
  })
  await press(/^Delete$/)
  await find('[role=alert]', 'Something went wrong')
  fails = false
  await press(/^Delete$/)
  await eventually(() => expect(isShown('Delete Van 3?')).toBe(false))
})

test('what was done is told once the question is gone, not over it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await show(<p>page</p>)
  let isToasted = false
  ask(async () => {
    await new Promise((wake) => setTimeout(wake, 50))
    toastSuccess('Van 3 deleted')
    isToasted = true
    await promise
  })
  await press(/^Delete$/)
  await eventually(() => expect(isToasted).toBe(true))
  expect(getToasts()).toEqual([])
  resolve()
  await eventually(() => expect(getToasts().map(({ text }) => text)).toEqual(['Van 3 deleted']))
  expect(isShown('Delete Van 3?')).toBe(false)
})

test('neither a question nor a new secret outlasts the session', async () => {
  serve(() => ({ payload: { done: true } }))
  logInAs('admin')
  await show(<p>page</p>, { texts: ['deviceLife'] })
  const { promise, resolve } = Promise.withResolvers<void>()
  ask(() => promise)
  await press(/^Delete$/)
  showNewSecret({ imei: '356938035643809', secret: 'a-secret-of-hardware' })
  await find('label', 'New secret')
  logOut()
  await eventually(() => expect(isShown('Its readings go too.') || isShown('New secret')).toBe(false))
  logInAs('staff')
  confirm({ title: 'Delete Van 4?', text: 'It has no readings.', action: 'Delete', run: async () => undefined })
  await eventually(() => expect(isShown('It has no readings.')).toBe(true))
  resolve()
  await promise
  await find('h2', 'Delete Van 4?')
  expect(getConfirmation()?.title).toBe('Delete Van 4?')
  expect(isShown('Its readings go too.') || isShown('New secret')).toBe(false)
})
