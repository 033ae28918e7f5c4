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

test('whoever changes what somebody else has just changed sees that, keeps the rest, and saves it then', async () => {
  logInAs('admin')
  const more = { bounds: { idleMinutes: 1_440, sessionHours: 720, adminHours: 24 }, without: 0 }
  let now = { secondFactorFrom: null, idleMinutes: 60, sessionHours: 12, version: 1 }
  serve(({ method, body }) => {
    const { version, ...change } = (body ?? {}) as typeof now
    if (method === 'PATCH' && version !== now.version)
      return { status: 400, code: 'CHANGED_MEANWHILE', message: 'Somebody changed this meanwhile.' }
    if (method === 'PATCH') now = { ...change, version: now.version + 1 }
    return { payload: { ...now, ...more } }
  })
  await show(<RulesPanel />, { texts: ['security'] })
  const [idle, hours] = [await field('Log out without use after'), await field('Log out in any case after')]
  type(idle, '30')
  type(hours, '8')
  now = { ...now, idleMinutes: 45, version: 2 }
  const save = await find('button[type=submit]')
  save.click()
  await eventually(() => expect([idle.value, hours.value]).toEqual(['45', '8']))
  type(idle, '30')
  await eventually(() => expect(save.hasAttribute('disabled')).toBe(false))
  save.click()
  await eventually(() => expect(now).toMatchObject({ idleMinutes: 30, sessionHours: 8, version: 3 }))
})
