// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { TriggerPanel } from './trigger-panel.tsx'

afterEach(leave)
logInAs('admin')

test('a link to a trigger that is there no more says so, and offers nothing to try again', async () => {
  serve(() => ({ status: 404, code: 'NOT_FOUND', message: 'Not found.' }))
  await show(<TriggerPanel id="999999" isPhone={false} onClose={() => undefined} buttons={() => null} />, {
    texts: ['alarms', 'triggers'],
  })
  await find('h2, h3, p, div', 'This trigger is not there any more')
  expect(isShown('Try again')).toBe(false)
})
