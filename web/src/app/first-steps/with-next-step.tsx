import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import type { Step } from './steps.ts'

const NextStep = lazyWithTexts('firstSteps', () => import('./next-step.tsx').then((m) => m.NextStep))

/** The screen comes first: the next step is no part of it. */
const afterMs = 5_000

/** The screen of something that was set up, with what a new company does next below it: nothing moves when that comes. */
export const withNextStep = (Screen: ComponentType, after: Step) => () => (
  <>
    <Screen />
    <LateStep after={after} />
  </>
)

function LateStep({ after }: { after: Step }) {
  const [isTime, setTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isTime) return null
  return (
    <Suspense fallback={null}>
      <NextStep after={after} />
    </Suspense>
  )
}
