import { sessionRedirect, sessionScreen } from './layouts.tsx'

const texts = ['common', 'users', 'errors']

export const usersRoutes = [
  sessionRedirect('/users', '/users/all-users', 'view:users'),
  sessionScreen('/users/all-users', {
    guard: 'view:users',
    load: () => import('../../features/users/pages/all-users-page.tsx').then((m) => m.AllUsersPage),
    texts,
  }),
  sessionScreen('/users/permissions', {
    guard: 'view:users',
    load: () => import('../../features/users/pages/permissions-page.tsx').then((m) => m.PermissionsPage),
    texts,
  }),
] as const
