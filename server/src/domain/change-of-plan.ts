import type { Period } from './billing-period.ts'

const dayMs = 86_400_000

/** The part of a period's net price that its whole days ahead are worth, down to a minor unit; all of it before it begins. */
export function unusedOf({ start, end }: Period, net: number, now: Date): number {
  const days = Math.round((end.getTime() - start.getTime()) / dayMs)
  const ahead = Math.floor((end.getTime() - now.getTime()) / dayMs)
  const unused = Math.min(days, Math.max(0, ahead))
  return Number((BigInt(net) * BigInt(unused)) / BigInt(days))
}
