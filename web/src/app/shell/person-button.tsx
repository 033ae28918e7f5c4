import { lazy, Suspense, useState } from 'react'
import { PersonFace } from './person-face.tsx'

const load = () => import('./person-menu.tsx')
const PersonMenu = lazy(async () => ({ default: (await load()).PersonMenu }))

/** The person's button; the menu's code is loaded when somebody is about to open it. */
export function PersonButton() {
  const [wanted, setWanted] = useState(false)
  const face = (
    <PersonFace
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
      aria-expanded={false}
    />
  )
  return wanted ? (
    <Suspense fallback={face}>
      <PersonMenu />
    </Suspense>
  ) : (
    face
  )
}
