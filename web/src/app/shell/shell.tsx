import { Outlet } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import '../../ui/styles-app.ts'
import { Bell } from '../../features/notifications/parts/bell.tsx'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { startRealtime } from '../../lib/realtime.ts'
import { useSession } from '../../lib/session.ts'
import { isInSandbox } from '../../lib/tab-storage.ts'
import { startWorker } from '../../lib/worker.ts'
import { Confirmations } from '../../ui/confirmations.tsx'
import { keepFocus } from '../../ui/keep-focus.ts'
import { SavedViewsContext } from '../../ui/list/saved-views-slot.ts'
import { SlotsContext } from '../../ui/slots.tsx'
import { pushAppliers } from '../live.ts'
import { ScreenWaiting } from '../screen-waiting.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { PaletteButton } from './palette-button.tsx'
import { PersonButton } from './person-button.tsx'
import { ProofHost } from './proof-host.tsx'
import { BottomBar, Rail } from './rail.tsx'
import classes from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { useFocusOnScreen } from './use-focus-on-screen.ts'
import { useFreshProfile } from './use-fresh-profile.ts'

const SandboxBanner = lazyWithTexts('sandbox', () => import('./sandbox-banner.tsx').then((m) => m.SandboxBanner))
const SandboxTime = lazy(async () => ({ default: (await import('./sandbox-time.tsx')).SandboxTime }))
const SubscriptionBanner = lazy(async () => ({
  default: (await import('./subscription-banner.tsx')).SubscriptionBanner,
}))
const TermsDialog = lazyWithTexts('terms', () => import('./terms-dialog.tsx').then((m) => m.TermsDialog))
const SavedViews = lazyWithTexts('savedViews', () =>
  import('../../features/saved-views/parts/views-menu.tsx').then((m) => m.ViewsMenu),
)

/** Follows the live stream before the screens ask for anything: what happens meanwhile is not missed, and nothing is asked for twice. */
export const followLive = () => startRealtime(pushAppliers)

/** Around every screen behind the login; around `children` where the router has no screen. */
export const Shell = ({ children = <Outlet /> }: { children?: ReactNode }) => (
  <QueryProvider>
    <Frame>{children}</Frame>
  </QueryProvider>
)

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  const isSold = useFreshProfile().data?.company.subscription != null
  useLayoutEffect(followLive, [])
  useEffect(keepFocus, [])
  // Later: its files must not compete with the screen's.
  useEffect(() => {
    const timer = setTimeout(() => void startWorker().catch(() => undefined), 5_000)
    return () => clearTimeout(timer)
  }, [])
  const [title, setTitle] = useState<HTMLElement | null>(null)
  const [skips, setSkips] = useState<HTMLElement | null>(null)
  const slots = useMemo(() => ({ title, skips }), [title, skips])
  const showTerms = useSession((state) => state.showTerms)
  const content = useRef<HTMLElement>(null)
  useFocusOnScreen(content)
  return (
    <SlotsContext value={slots}>
      <div className={classes.skips} ref={setSkips}>
        <a href="#content">{t('skip')}</a>
      </div>
      <div className={classes.shell}>
        <Rail />
        <header className={classes.bar}>
          <div className={classes.heading}>
            <div className={classes.title} ref={setTitle} />
            <ConnectionBanner />
          </div>
          <LiveIndicator />
          <PaletteButton />
          <Bell />
          <PersonButton />
        </header>
        <main id="content" className={classes.content} tabIndex={-1} ref={content}>
          <Suspense fallback={null}>{isInSandbox && <SandboxBanner />}</Suspense>
          <Suspense fallback={null}>{isSold && <SubscriptionBanner />}</Suspense>
          <SavedViewsContext value={SavedViews}>
            <Suspense fallback={<ScreenWaiting />}>
              {isInSandbox ? <SandboxTime>{children}</SandboxTime> : children}
            </Suspense>
          </SavedViewsContext>
        </main>
        <BottomBar />
      </div>
      <Shortcuts />
      <Confirmations />
      <ProofHost />
      <Suspense fallback={null}>{showTerms && <TermsDialog />}</Suspense>
    </SlotsContext>
  )
}
