import { lazy, Suspense, useSyncExternalStore } from 'react'
import { getConfirmation, subscribeConfirmation } from './confirm.ts'
import { getNewSecret, subscribeNewSecret } from './new-secret.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))
const NewSecretDialog = lazy(async () => ({ default: (await import('./new-secret-dialog.tsx')).NewSecretDialog }))

/** Stands once in the shell: asks whatever `confirm()` is given, and shows what `showNewSecret()` is given. */
export function Confirmations() {
  const question = useSyncExternalStore(subscribeConfirmation, getConfirmation)
  const newSecret = useSyncExternalStore(subscribeNewSecret, getNewSecret)
  return (
    <Suspense fallback={null}>
      {question && <ConfirmDialog key={question.title} question={question} />}
      {newSecret && <NewSecretDialog key={newSecret.imei} {...newSecret} />}
    </Suspense>
  )
}
