// @vitest-environment page
import type { User } from '@isotherm/contract/users.ts'
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { KeysOfAdmin } from './keys-of-admin.tsx'

afterEach(leave)
logInAs('admin')

test('the keys and endpoints that depend on an Admin are named before that Admin is removed', async () => {
  const admin = { id: '7', role: 'admin', fullname: 'Ann' } as User
  const endpoint = (host: string, by: string | null) => ({
    url: `https://${host}/hook`,
    privateBy: by && { id: by, name: 'Somebody' },
  })
  const endpoints = [endpoint('one.test', '7'), endpoint('two.test', '8'), endpoint('three.test', null)]
  const keys = [
    { name: 'ERP', state: 'active', admin: { id: '7' } },
    { name: 'Gate', state: 'active', admin: { id: '8' } },
  ]
  serve(() => ({ payload: { keys, endpoints } }))
  await show(<KeysOfAdmin admin={admin} become="stopped" />, { texts: ['users'] })
  const said = (await find('[role=alert]', /one\.test/)).textContent ?? ''
  expect(said).toContain('1 API key depends on Ann and stops at once: ERP.')
  expect(said).toContain(
    '1 endpoint of webhooks hears of private devices on the word of Ann, and of none from now on: one.test.',
  )
  for (const other of ['Gate', 'two.test', 'three.test']) expect(said).not.toContain(other)
})
