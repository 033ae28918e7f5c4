// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { setSession } from '../../../lib/session.ts'
import { eventually, leave, logInAs, show } from '../../../test/show.tsx'
import { LicenceDay } from './licence-day.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

test.each([
  ['America/Lima', '2026-12-11T04:59:00Z', false],
  ['America/Lima', '2026-12-11T05:01:00Z', true],
  ['Pacific/Auckland', '2026-12-10T11:01:00Z', true],
] as const)('in %s at %s it is over: %s', async (timezone, now, isOver) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] })
  logInAs('admin')
  setSession({ timezone })
  await show(<LicenceDay day="2026-12-10" />, { texts: ['drivers'] })
  await eventually(() => expect(document.body.textContent).toContain('10 Dec 2026'))
  expect(document.body.textContent?.includes('Expired')).toBe(isOver)
})
