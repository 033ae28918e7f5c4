import type { ReactNode } from 'react'

/** What may be wider than its place, moved sideways by finger, wheel or the keyboard's arrows. */
export const Sideways = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard could not move it
  <section tabIndex={0} aria-label={label} style={{ overflowX: 'auto' }}>
    {children}
  </section>
)
