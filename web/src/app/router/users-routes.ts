import { withNextStep } from '../first-steps/with-next-step.tsx'
import { sessionRedirect, sessionScreen } from './layouts.tsx'
import { listParams, params } from './search-params.ts'

const texts = ['common', 'users', 'errors']

export const usersRoutes = [
  sessionRedirect('/users', '/users/all-users', 'view:users'),
  sessionScreen('/users/all-users', {
    guard: 'view:users',
    search: listParams('role'),
    load: () =>
      import('../../features/users/pages/all-users-page.tsx').then((m) => withNextStep(m.AllUsersPage, 'person')),
    texts,
  }),
  sessionScreen('/users/permissions', {
    guard: 'view:users',
    search: params('role'),
    load: () => import('../../features/users/pages/permissions-page.tsx').then((m) => m.PermissionsPage),
    texts,
  }),
] as const
