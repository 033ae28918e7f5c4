// @vitest-environment page
import type { User } from '@isotherm/contract/users.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, isShown, leave, logInAs, show } from '../../../test/show.tsx'
import { UserState } from './user-state.tsx'

const hour = 3_600_000
const invited = (endsInMs: number) =>
  ({ status: 'invited', invitationEndsAt: new Date(Date.now() + endsInMs).toISOString() }) as User

afterEach(leave)
logInAs('admin')

test.each([
  ['still works', invited(hour), 'Invited'],
  ['is over', invited(-hour), 'Invitation expired'],
])('an invitation that %s is seen as such', async (_what, user, words) => {
  await show(<UserState user={user} />, { texts: ['users'] })
  await eventually(() => expect(isShown(words)).toBe(true))
})
