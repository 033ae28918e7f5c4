// @vitest-environment page
import type { User } from '@isotherm/contract/users.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { UserDialog } from './user-dialog.tsx'

afterEach(leave)
logInAs('admin')

test('another name does not give back the role that the form was opened with', async () => {
  const user = { id: '7', role: 'admin', fullname: 'Ann Bello', email: 'ann@example.test' } as User
  const requests = serve(() => ({ payload: user }))
  await show(<UserDialog user={user} onClose={() => undefined} />, { texts: ['users'] })
  type(await field('Name'), 'Ann Mwangi')
  await press('Save')
  await eventually(() =>
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ fullname: 'Ann Mwangi' }),
  )
})
