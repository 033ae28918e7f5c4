import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { getSession } from '../../lib/session.ts'

const LeaveDialog = lazy(async () => ({ default: (await import('./leave-dialog.tsx')).LeaveDialog }))

interface LeaveGuardProps {
  isUnsaved: () => boolean
  /** The search parameter that chooses between forms of one page. */
  tab?: string | undefined
}

/** Leaving with something unsaved asks first; being logged out does not. */
export function LeaveGuard({ isUnsaved, tab }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || chosen(current.search, tab) !== chosen(next.search, tab)) &&
      isUnsaved() &&
      getSession().token !== null,
    enableBeforeUnload: () => isUnsaved(),
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense fallback={null}>
      <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
    </Suspense>
  )
}

const chosen = (search: object, tab: string | undefined) => (tab ? (search as Record<string, unknown>)[tab] : undefined)
