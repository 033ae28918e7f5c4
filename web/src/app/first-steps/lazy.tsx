import { type ComponentType, lazy, Suspense } from 'react'
import { i18n } from '../../lib/i18n.ts'
import type { Step } from './steps.ts'

// Most companies are past these: code and texts are loaded where they are needed.
const withTexts = async <M,>(load: Promise<M>): Promise<M> => {
  await i18n.loadNamespaces('firstSteps')
  return load
}

export const FirstSteps = lazy(async () => ({
  default: (await withTexts(import('./first-steps.tsx'))).FirstSteps,
}))
const NextStep = lazy(async () => ({ default: (await withTexts(import('./next-step.tsx'))).NextStep }))

/** The screen of something that was set up, with what a new company does next above it. */
export const withNextStep = (Screen: ComponentType, after: Step) => () => (
  <>
    <Suspense fallback={null}>
      <NextStep after={after} />
    </Suspense>
    <Screen />
  </>
)
