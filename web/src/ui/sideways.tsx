import { type ReactNode, useRef } from 'react'
import { useChosenInView } from './use-chosen-in-view.ts'

/** Moves content sideways that may be wider than its place: by finger, wheel or the keyboard's arrows. What is chosen in it is seen. */
export function Sideways({ label, children }: { label: string; children: ReactNode }) {
  const own = useRef<HTMLElement>(null)
  useChosenInView(own, '[data-active]')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard could not move it
    <section ref={own} tabIndex={0} aria-label={label} style={{ overflowX: 'auto' }}>
      {children}
    </section>
  )
}
