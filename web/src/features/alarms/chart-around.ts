import type { Trigger } from '@isotherm/contract/triggers.ts'

const hourMs = 3_600_000

/** The period of a device's chart around a trigger: as much again on both sides, at least 3 hours, not beyond now. */
export function chartAround({ breachAt, normalAt }: Pick<Trigger, 'breachAt' | 'normalAt'>, now: number) {
  const start = Date.parse(breachAt)
  const end = normalAt ? Date.parse(normalAt) : now
  const margin = Math.max(end - start, 3 * hourMs)
  const to = Math.max(Math.min(end + margin, now), start + 1)
  return { from: new Date(start - margin).toISOString(), to: new Date(to).toISOString() }
}
