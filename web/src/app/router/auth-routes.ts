import { createRoute, redirect } from '@tanstack/react-router'
import { guestRoute, publicRoute, sessionScreen } from './layouts.tsx'
import { screen } from './screen.tsx'

// Links had their token in the path once; after the # it is in no proxy's log.
const toHash =
  (to: '/reset' | '/verify' | '/usersetup') =>
  ({ params }: { params: { token: string } }) => {
    throw redirect({ to, hash: params.token, replace: true })
  }

const texts = ['common', 'auth', 'errors']

export const guestRoutes = [
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/login',
    component: screen(() => import('../../features/auth/pages/login-page.tsx').then((m) => m.LoginPage), texts),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/signup',
    component: screen(() => import('../../features/auth/pages/sign-up-page.tsx').then((m) => m.SignUpPage), texts),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/forgotpassword',
    component: screen(
      () => import('../../features/auth/pages/forgot-password-page.tsx').then((m) => m.ForgotPasswordPage),
      texts,
    ),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/reset',
    component: screen(() => import('../../features/auth/pages/reset-page.tsx').then((m) => m.ResetPage), texts),
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/reset/$token',
    beforeLoad: toHash('/reset'),
  }),
] as const

export const publicRoutes = [
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/usersetup',
    component: screen(() => import('../../features/auth/pages/set-up-page.tsx').then((m) => m.SetUpPage), texts),
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/usersetup/$token',
    beforeLoad: toHash('/usersetup'),
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/verify',
    component: screen(() => import('../../features/auth/pages/verify-page.tsx').then((m) => m.VerifyPage), texts),
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/verify/$token',
    beforeLoad: toHash('/verify'),
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/404',
    component: screen(() => import('../not-found-page.tsx').then((m) => m.NotFoundPage), ['common']),
  }),
] as const

export const authRoutes = [
  sessionScreen('/settings/profile', {
    guard: 'session',
    load: () => import('../../features/auth/pages/profile-page.tsx').then((m) => m.ProfilePage),
    texts: [...texts, 'shell'],
  }),
  sessionScreen('/settings/changepassword', {
    guard: 'session',
    load: () => import('../../features/auth/pages/change-password-page.tsx').then((m) => m.ChangePasswordPage),
    texts: [...texts, 'shell'],
  }),
] as const
