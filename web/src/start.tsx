import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import './ui/styles-base.ts'
import { router } from './app/router/router.ts'
import { firstFormLanguage, keepFirstForm } from './lib/first-form.ts'
import { i18n, startI18n } from './lib/i18n.ts'
import { isInSandbox } from './lib/tab-storage.ts'
import { Themed } from './ui/themed.tsx'

/** Begins the app; inline/begin.js calls it after the first frame. */
export async function start() {
  // Before any screen asks what may be done.
  if (isInSandbox) (await import('./shared/sandbox-rights.ts')).closeRights()

  // Side by side: the texts, and the code of the screen asked for.
  await Promise.all([startI18n(['common']), router.load()])

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const app = (
    <StrictMode>
      <Themed>
        <RouterProvider router={router} />
      </Themed>
    </StrictMode>
  )
  // Again and again: another one may be chosen while the texts of one are loaded.
  for (
    let language = firstFormLanguage(root);
    language && language !== i18n.language;
    language = firstFormLanguage(root)
  )
    await i18n.changeLanguage(language)
  keepFirstForm(root)
  // At once: what somebody types into the first form after it was read would be lost.
  flushSync(() => createRoot(root).render(app))
}
