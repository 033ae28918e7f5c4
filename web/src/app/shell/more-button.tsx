import { lazy, Suspense, useState } from 'react'
import { MoreFace } from './more-face.tsx'
import type { NavigationItem } from './navigation.ts'

const load = () => import('./more-menu.tsx')
const MoreMenu = lazy(async () => ({ default: (await load()).MoreMenu }))

/** Everything that did not fit into the bar at the bottom; the menu's code is loaded when somebody is about to open it. */
export function MoreButton({ items }: { items: NavigationItem[] }) {
  const [wanted, setWanted] = useState(false)
  const face = (
    <MoreFace
      items={items}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
      aria-expanded={false}
    />
  )
  return wanted ? (
    <Suspense fallback={face}>
      <MoreMenu items={items} />
    </Suspense>
  ) : (
    face
  )
}
