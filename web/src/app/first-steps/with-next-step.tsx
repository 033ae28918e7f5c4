import { type ComponentType, Suspense } from 'react'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import type { Step } from './steps.ts'

// Most companies are past it.
const NextStep = lazyWithTexts('firstSteps', () => import('./next-step.tsx').then((m) => m.NextStep))

/** The screen of something that was set up, with what a new company does next below it: nothing moves when that comes. */
export const withNextStep = (Screen: ComponentType, after: Step) => () => (
  <>
    <Screen />
    <Suspense fallback={null}>
      <NextStep after={after} />
    </Suspense>
  </>
)
