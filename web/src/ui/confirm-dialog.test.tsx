// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, isShown, leave, press, show } from '../test/show.tsx'
import { closeConfirmation, confirm } from './confirm.ts'

afterEach(() => {
  closeConfirmation()
  leave()
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
