// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { setSession } from '../../../lib/session.ts'
import { eventually, field, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { RulesPanel } from './rules-panel.tsx'

afterEach(leave)

test('another rule is saved without moving the instant that somebody in another zone has given', async () => {
  logInAs('admin')
  setSession({ timezone: 'America/New_York' })
  // Midnight in Lagos.
  const rules = { secondFactorFrom: '2026-12-09T23:00:00.000Z', idleMinutes: 60, sessionHours: 12 }
  const more = { bounds: { idleMinutes: 1_440, sessionHours: 720, adminHours: 24 }, without: 0 }
  const sent = () => requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))
  const requests = serve(({ body }) => ({ payload: { ...rules, ...(body as object), ...more } }))
  await show(<RulesPanel />, { texts: ['security'] })
  type(await field('Log out without use after'), '30')
  ;(await find('button[type=submit]')).click()
  await eventually(() => expect(sent()).toEqual([{ ...rules, idleMinutes: 30 }]))
})
