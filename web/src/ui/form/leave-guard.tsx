import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { getSession } from '../../lib/session.ts'

const load = () => import('./leave-dialog.tsx')
const LeaveDialog = lazy(async () => ({
  default: await load().then(
    (loaded) => loaded.LeaveDialog,
    () => PlainQuestion,
  ),
}))

/** The browser's own question where the dialog does not arrive: an error would take the form away, and the words with it. */
function PlainQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation()
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    if (window.confirm(t('form.leaveText'))) onLeave()
    else onStay()
  })
  return null
}

interface LeaveGuardProps {
  isUnsaved: () => boolean
  /** The search parameter that chooses between forms of one page. */
  tab?: string | undefined
}

/**
 * Leaving with something unsaved asks first; being logged out does not. It comes with the form: on a slow line somebody types and goes
 * before anything that is loaded later would ask.
 */
export function LeaveGuard({ isUnsaved, tab }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || chosen(current.search, tab) !== chosen(next.search, tab)) &&
      isUnsaved() &&
      getSession().token !== null,
    enableBeforeUnload: () => isUnsaved(),
    withResolver: true,
  })
  const isTyped = isUnsaved()
  // While the line may still be there.
  useEffect(() => {
    if (isTyped) load().catch(() => {})
  }, [isTyped])
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense fallback={null}>
      <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
    </Suspense>
  )
}

const chosen = (search: object, tab: string | undefined) => (tab ? (search as Record<string, unknown>)[tab] : undefined)
