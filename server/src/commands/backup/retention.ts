import { monthsBefore } from '../../domain/retention.ts'
import type { BackupStore } from '../../platform/backup/backup-store.ts'
import { listStretches, type Stretch } from '../../platform/backup/stretches.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Any second of so many days can be restored; before them the first base of a month, for so many months. */
const SECONDS_DAYS = 35
const MONTHS = 12

/**
 * Names of objects that are not kept any longer. Of log and files those before the base that the oldest second needs; a base that is
 * older stays as the first one of its month, for a year.
 */
export function obsolete(stretches: readonly Stretch[], now: Date): string[] {
  const horizon = now.getTime() - SECONDS_DAYS * DAY_MS
  const yearAgo = monthsBefore(now, MONTHS)
  const all = stretches.flatMap((stretch) => stretch.bases)
  // The oldest second is restored from the last base before it.
  const needed = all.filter(({ beganAt }) => beganAt.getTime() <= horizon).at(-1)
  if (!needed) return []
  const months = new Map<string, string>()
  for (const { beganAt, about } of all) {
    const month = beganAt.toISOString().slice(0, 7)
    if (beganAt >= yearAgo && !months.has(month)) months.set(month, about)
  }
  const monthly = new Set(months.values())
  return stretches.flatMap(({ bases, files, log }) => {
    const old = bases.filter((base) => base.beganAt < needed.beganAt && !monthly.has(base.about))
    const first = bases.find(({ beganAt }) => beganAt >= needed.beganAt)
    // A stretch that was over before the needed base began is of no more use than its monthly bases.
    const isOver = !first && bases.length > 0
    const begin = first?.beganAt.getTime() ?? (isOver ? Number.POSITIVE_INFINITY : 0)
    return [
      ...old.flatMap(({ archive, about }) => [archive, about]),
      ...files.filter(({ at }) => at.getTime() < begin).map(({ name }) => name),
      // The base itself has all that was stored before it began.
      ...log.filter(({ storedAt }) => storedAt < begin - HOUR_MS).map(({ name }) => name),
    ]
  })
}

/** Removes what is not kept any longer. */
export async function prune(store: BackupStore, now: Date): Promise<void> {
  for (const name of obsolete(await listStretches(store), now)) await store.remove(name)
}
