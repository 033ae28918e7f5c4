import { Counter } from 'prom-client'
import { z } from 'zod'
import { asLogin, asPipeline } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { listFiles } from '../../platform/files/list-files.ts'
import type { ListedObject } from '../../platform/files/object-store.ts'
import type { Job, Services } from '../../platform/services.ts'
import { namedAmong } from './file-queries.ts'

/** A file is in the store before its row; a day later the row is there, or never comes. */
const ageMs = 86_400_000
const perTurn = 5_000
/** So many orphans at once, and such a share of what was looked at, mean a wrong database rather than servers that died. */
const maxOrphans = 100
const maxShare = 0.2

type Place = Pick<Services, 'pool' | 'clock' | 'config'>

interface Turn {
  looked: number
  orphans: ListedObject[]
  /** The key to go on after; null: everything was looked at. */
  next: string | null
}

/** Looks at a part of the store: what no row names and is older than a day. */
export async function findOrphans({ pool, clock, config }: Place, after?: string, most = perTurn): Promise<Turn> {
  const before = clock.now().getTime() - ageMs
  const turn: Turn = { looked: 0, orphans: [], next: null }
  for await (const page of listFiles(config, after)) {
    const old = page.filter(({ at }) => at.getTime() < before)
    const keys = old.map(({ name }) => name)
    const named = keys.length > 0 ? await asPipeline(pool, ({ tx }) => namedAmong(tx, keys)) : new Set()
    turn.orphans.push(...old.filter(({ name }) => !named.has(name)))
    turn.looked += page.length
    if (turn.looked < most) continue
    turn.next = page.at(-1)?.name ?? null
    return turn
  }
  return turn
}

/** Every night: removes files that no row names, a part of the store a turn. Removes none where there are strangely many. */
export const sweepOrphans: Job<{ after?: string | undefined }> = {
  name: 'sweep-orphans',
  payload: z.strictObject({ after: z.string().optional() }),
  retryLimit: 2,
  cron: '20 4 * * *',
  async run(services, { after }) {
    const { looked, orphans, next } = await findOrphans(services, after)
    const tooMany = orphans.length > maxOrphans && orphans.length > maxShare * looked
    if (tooMany)
      services.log.error(
        { looked, orphans: orphans.length },
        'too many files have no row: none is removed; see files orphans',
      )
    else await removeOrphans(services, orphans)
    if (next !== null)
      await asLogin(services.pool, ({ client }) => services.enqueue(client, sweepOrphans, { after: next }))
  },
}

async function removeOrphans({ config, metrics, log }: Services, orphans: readonly ListedObject[]): Promise<void> {
  const files = openFiles(config)
  for (const { name } of orphans) {
    await files.remove(name)
    removedOf(metrics).inc()
  }
  if (orphans.length > 0) log.warn({ orphans: orphans.length }, 'files that no row names are removed')
}

const metricName = 'isotherm_files_orphans_removed_total'
const removedOf = (registry: Services['metrics']): Counter =>
  (registry.getSingleMetric(metricName) as Counter | undefined) ??
  new Counter({ name: metricName, help: 'Files that no row named and that were removed', registers: [registry] })
