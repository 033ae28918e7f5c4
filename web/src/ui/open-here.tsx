import type { Call } from '@isotherm/contract/call.ts'
import { type ReactNode, Suspense } from 'react'
import { useCan } from '../lib/can.ts'
import { lazyWithTexts } from '../lib/lazy-with-texts.ts'

const ClosedHere = lazyWithTexts('errors', () => import('./closed-here.tsx').then((m) => m.ClosedHere))

/** Shows the form or buttons of a call that everybody on the screen may make; in a sandbox where it is closed, a sentence that says so. */
export function OpenHere({ row, children = null }: { row: Call; children?: ReactNode }) {
  if (useCan(row)) return children
  return (
    <Suspense fallback={null}>
      <ClosedHere />
    </Suspense>
  )
}
