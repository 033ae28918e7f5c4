import type { ReactNode } from 'react'

/** Moves content sideways that may be wider than its place: by finger, wheel or the keyboard's arrows. */
export const Sideways = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard could not move it
  <section tabIndex={0} aria-label={label} style={{ overflowX: 'auto' }}>
    {children}
  </section>
)
