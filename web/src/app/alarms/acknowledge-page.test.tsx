// @vitest-environment page
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTrigger } from '../../features/alarms/test/build-alarm.ts'
import { setSession } from '../../lib/session.ts'
import { eventually, find, isShown, leave, press, type Request, serve, show } from '../../test/show.tsx'
import { AcknowledgePage } from './acknowledge-page.tsx'

afterEach(leave)
beforeEach(() => setSession({ token: null, role: null, roleModulePermissions: null }))

const texts = { texts: ['auth', 'alarms', 'triggers'] }
const linked = (over = {}) => ({ fullname: 'Amina', triggers: [buildTrigger(over)] })

test('the page says what happened, asks once, and only the button acknowledges', async () => {
  const done = linked({ state: 'acknowledged', canAcknowledge: false, acknowledgedBy: { id: '7', name: 'Amina' } })
  const requests = serve(({ path }: Request) => ({ payload: path.endsWith('/check') ? linked() : done }))
  const { address } = await show(<AcknowledgePage />, { ...texts, path: '/acknowledge#secret' })
  await find('li', /Van 3 above 8\.0/)
  expect(requests.map(({ path }) => path)).toEqual(['/alarm-triggers/by-link/check'])
  await press('Acknowledge')
  await find('h1', 'Acknowledged')
  expect(requests.at(-1)).toEqual({ method: 'POST', path: '/alarm-triggers/by-link', body: { token: 'secret' } })
  await eventually(() => expect(address()).not.toContain('secret'))
})

test('a link that is over says so, and leads to the alarms', async () => {
  serve(() => ({ status: 400, code: 'LINK_INVALID', message: 'This link has expired or was used already.' }))
  await show(<AcknowledgePage />, { ...texts, path: '/acknowledge#old' })
  await find('h1', 'This link no longer works')
  await find('a', 'Open the alarm')
})

test('where somebody was faster nothing is asked', async () => {
  const other = { state: 'acknowledged', canAcknowledge: false, acknowledgedBy: { id: '8', name: 'Kofi' } } as const
  serve(() => ({ payload: linked(other) }))
  await show(<AcknowledgePage />, { ...texts, path: '/acknowledge#late' })
  await find('h1', 'Nothing is left to do')
  await find('li', /Acknowledged by Kofi/)
  expect(isShown('Reminders and escalation stop')).toBe(false)
})
