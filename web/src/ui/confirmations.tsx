import { lazy, Suspense, useSyncExternalStore } from 'react'
import { loadTexts } from '../lib/i18n.ts'
import { getConfirmation, subscribeConfirmation } from './confirm.ts'
import { getNewSecret, subscribeNewSecret } from './new-secret.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))
const NewSecretDialog = lazy(async () => {
  // Not every screen that shows one has these texts.
  const [{ NewSecretDialog: dialog }] = await Promise.all([
    import('./new-secret-dialog.tsx'),
    loadTexts(['deviceLife']),
  ])
  return { default: dialog }
})

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
