import { type ComponentType, Suspense } from 'react'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import type { Step } from './steps.ts'

// Most companies are past these.
export const FirstSteps = lazyWithTexts('firstSteps', () => import('./first-steps.tsx').then((m) => m.FirstSteps))
const NextStep = lazyWithTexts('firstSteps', () => import('./next-step.tsx').then((m) => m.NextStep))

/** The screen of something that was set up, with what a new company does next above it. */
export const withNextStep = (Screen: ComponentType, after: Step) => () => (
  <>
    <Suspense fallback={null}>
      <NextStep after={after} />
    </Suspense>
    <Screen />
  </>
)
