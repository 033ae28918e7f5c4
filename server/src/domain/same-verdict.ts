import type { StopConditions } from '@isotherm/contract/order-links.ts'

/** Half of the last digit that is shown. */
const degrees = 0.05
const halfMinuteMs = 30_000

type Facts = Pick<StopConditions, 'verdict' | 'worst' | 'outMs' | 'budget'>

const isSameWorst = (before: Facts['worst'], now: Facts['worst']): boolean =>
  before === null || now === null
    ? before === now
    : before.isOutside === now.isOutside && Math.abs(before.temperatureC - now.temperatureC) <= degrees + 1e-9

/** Whether conditions still say what somebody signed for: verdict, worst value, time out of range and budget, but for rounding. */
export const isSameVerdict = (before: Facts, now: Facts): boolean =>
  before.verdict === now.verdict &&
  isSameWorst(before.worst, now.worst) &&
  Math.abs(before.outMs - now.outMs) <= halfMinuteMs &&
  before.budget?.state === now.budget?.state
