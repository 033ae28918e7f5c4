import { ConditionName } from '@isotherm/contract/alarm-rules.ts'
import type { BackTest, BackTestFiring } from '@isotherm/contract/back-test.ts'
import { type Condition, cumulativeOf } from '../../domain/alarm-conditions.ts'
import type { BackTestResult } from './back-test.ts'
import type { TestedFiring } from './back-test-run.ts'

export const presentBackTest = ({ from, to, firings, ...rest }: BackTestResult): BackTest => ({
  from: iso(from),
  to: iso(to),
  firings: firings.map(present),
  ...rest,
})

const iso = (at: number) => new Date(at).toISOString()

const present = ({ device, condition, firing }: TestedFiring): BackTestFiring => ({
  deviceId: String(device.id),
  deviceName: device.name,
  condition: ConditionName.parse(condition.name.split(':')[0]),
  fence: condition.kind === 'fence' ? condition.fence.name : null,
  breachAt: iso(firing.breachAt),
  openedAt: iso(firing.openedAt),
  normalAt: firing.normalAt === null ? null : iso(firing.normalAt),
  limit: limitOf(condition),
  cumulative: cumulativeOf(condition),
  peak: firing.peak === null ? null : firing.peak / 100,
})

/** Degrees, percent, or minutes of silence. */
function limitOf(condition: Condition): number | null {
  if (condition.kind === 'value') return condition.limit / 100
  return condition.kind === 'silence' ? condition.afterMs / 60_000 : null
}
