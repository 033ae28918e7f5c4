import { lazy, Suspense, useSyncExternalStore } from 'react'
import { getConfirmation, subscribeConfirmation } from './confirm.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Stands once in the shell and asks whatever `confirm()` is given. */
export function Confirmations() {
  const question = useSyncExternalStore(subscribeConfirmation, getConfirmation)
  return <Suspense fallback={null}>{question && <ConfirmDialog key={question.title} question={question} />}</Suspense>
}
