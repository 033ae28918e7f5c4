import { sessionScreen } from './layouts.tsx'

export const supportRoutes = [
  sessionScreen('/support', {
    load: () => import('../../features/support/pages/support-page.tsx').then((m) => m.SupportPage),
    texts: ['common', 'support', 'errors'],
  }),
  sessionScreen('/support/features', {
    load: () => import('../../features/support/pages/features-page.tsx').then((m) => m.FeaturesPage),
    texts: ['common', 'support', 'errors'],
  }),
] as const
