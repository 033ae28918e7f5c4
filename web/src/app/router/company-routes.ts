import { redirect } from '@tanstack/react-router'
import { sessionRedirect, sessionScreen } from './layouts.tsx'

const texts = ['common', 'company', 'errors', 'shell']

/** The one-time profile is the first Admin's; everybody else, and later, goes home. */
async function onlyOnce() {
  const { loadProfile } = await import('../../lib/profile.ts')
  const answer = await loadProfile().catch(() => null)
  if (answer?.user.role !== 'admin' || answer.company.profileCompleted) throw redirect({ to: '/', replace: true })
}

export const companyRoutes = [
  sessionRedirect('/settings', '/settings/profile', 'session'),
  sessionScreen('/settings/businessprofile', {
    guard: 'session',
    load: () => import('../../features/company/pages/business-profile-page.tsx').then((m) => m.BusinessProfilePage),
    texts,
  }),
  sessionScreen('/settings/chart-settings', {
    guard: 'session',
    load: () => import('../../features/company/pages/chart-settings-page.tsx').then((m) => m.ChartSettingsPage),
    texts,
  }),
  sessionScreen('/settings/sharing', {
    guard: 'admin',
    load: () => import('../../features/share-links/pages/sharing-page.tsx').then((m) => m.SharingPage),
    texts: [...texts, 'shareLinks'],
  }),
  sessionScreen('/settings/security/sso', {
    guard: 'admin',
    load: () => import('../../features/sso/pages/sso-settings-page.tsx').then((m) => m.SsoSettingsPage),
    texts: ['common', 'sso', 'audit', 'errors', 'shell'],
  }),
  sessionScreen('/settings/warranty', {
    guard: 'session',
    load: () => import('../../features/company/pages/warranty-page.tsx').then((m) => m.WarrantyPage),
    texts: [...texts, 'warranty'],
  }),
  sessionScreen('/companyprofile', {
    guard: onlyOnce,
    load: () => import('../../features/company/pages/company-profile-page.tsx').then((m) => m.CompanyProfilePage),
    texts,
  }),
] as const
