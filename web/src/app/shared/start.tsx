import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../../ui/typeface.css'
import '../../ui/base.css'
import './ground.css'
import { startI18n } from '../../lib/i18n.ts'

// The pages of share links and wall screens: without router, query cache and components of the app, for phones of strangers.
const pages: Record<string, () => Promise<ComponentType>> = {
  '/share': () => import('./share-page.tsx').then((m) => m.SharePage),
  '/wall': () => import('./wall-page.tsx').then((m) => m.WallPage),
}
const load = pages[location.pathname.replace(/\/$/, '')] ?? pages['/share']
const [Page] = await Promise.all([load?.(), startI18n(['shared', 'devices'])])
const root = document.getElementById('root')
if (!root || !Page) throw new Error('shared.html has no #root')
// Another link in the same tab is another page.
addEventListener('hashchange', () => location.reload())
createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
