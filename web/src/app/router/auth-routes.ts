import { createRoute, redirect } from '@tanstack/react-router'
import { needEnrolling } from './guards.ts'
import { guestRoute, guestScreen, publicRoute, publicScreen, sessionScreen } from './layouts.tsx'
import { params } from './search-params.ts'

// Links had their token in the path once; after the # it is in no proxy's log.
const toHash =
  (to: '/reset' | '/verify' | '/usersetup') =>
  ({ params }: { params: { token: string } }) => {
    throw redirect({ to, hash: params.token, replace: true })
  }

const texts = ['common', 'auth', 'errors']

export const guestRoutes = [
  guestScreen('/login', {
    load: () => import('../../features/auth/pages/login-page.tsx').then((m) => m.LoginPage),
    // Faults are told once somebody has typed: the screen loads their texts then.
    texts: ['common', 'auth'],
  }),
  guestScreen('/signup', {
    load: () => import('../../features/auth/pages/sign-up-page.tsx').then((m) => m.SignUpPage),
    texts,
  }),
  guestScreen('/forgotpassword', {
    load: () => import('../../features/auth/pages/forgot-password-page.tsx').then((m) => m.ForgotPasswordPage),
    texts,
  }),
  guestScreen('/reset', {
    load: () => import('../../features/auth/pages/reset-page.tsx').then((m) => m.ResetPage),
    texts,
  }),
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/reset/$token',
    beforeLoad: toHash('/reset'),
  }),
] as const

export const publicRoutes = [
  publicScreen('/usersetup', {
    load: () => import('../../features/auth/pages/set-up-page.tsx').then((m) => m.SetUpPage),
    texts,
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/usersetup/$token',
    beforeLoad: toHash('/usersetup'),
  }),
  publicScreen('/login/sso', {
    search: params('code', 'state', 'iss', 'error'),
    load: () => import('../../features/auth/pages/sso-page.tsx').then((m) => m.SsoPage),
    texts,
  }),
  publicScreen('/login/sso/$companyId', {
    search: params('code', 'state', 'iss', 'error'),
    load: () => import('../../features/auth/pages/sso-page.tsx').then((m) => m.SsoPage),
    texts,
  }),
  publicScreen('/verify', {
    load: () => import('../../features/auth/pages/verify-page.tsx').then((m) => m.VerifyPage),
    texts,
  }),
  createRoute({
    getParentRoute: () => publicRoute,
    path: '/verify/$token',
    beforeLoad: toHash('/verify'),
  }),
  publicScreen('/acknowledge', {
    load: () => import('../alarms/acknowledge-page.tsx').then((m) => m.AcknowledgePage),
    texts: [...texts, 'alarms', 'triggers'],
  }),
  publicScreen('/enrol', {
    guard: needEnrolling,
    load: () => import('../enrol/enrol-page.tsx').then((m) => m.EnrolPage),
    texts: [...texts, 'security'],
  }),
  publicScreen('/404', {
    load: () => import('../not-found-page.tsx').then((m) => m.NotFoundPage),
    texts: ['common'],
  }),
] as const

export const authRoutes = [
  sessionScreen('/settings/profile', {
    guard: 'session',
    load: () => import('../../features/auth/pages/profile-page.tsx').then((m) => m.ProfilePage),
    texts: [...texts, 'shell', 'terms'],
  }),
  sessionScreen('/settings/security', {
    guard: 'session',
    load: () => import('../../features/security/pages/security-page.tsx').then((m) => m.SecurityPage),
    texts: [...texts, 'shell', 'security'],
  }),
  sessionScreen('/settings/changepassword', {
    guard: 'session',
    load: () => import('../../features/auth/pages/change-password-page.tsx').then((m) => m.ChangePasswordPage),
    texts: [...texts, 'shell'],
  }),
] as const
