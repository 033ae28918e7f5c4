import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { BackupStore } from './backup-store.ts'
import { stampOf } from './stretches.ts'

const Drill = z.object({
  at: z.iso.datetime(),
  /** The instant that was restored. */
  restoredTo: z.iso.datetime(),
  seconds: z.object({ restore: z.number(), checks: z.number() }),
  /** How many of each were looked at. */
  checked: z.record(z.string(), z.number()),
  /** Empty: the restore is proven. */
  faults: z.array(z.string()),
})

/** The record of a drill. */
export type Drill = z.infer<typeof Drill>

export async function noteDrill(store: BackupStore, drill: Drill): Promise<string> {
  const name = `drills/${stampOf(new Date(drill.at))}.json`
  async function* content() {
    yield Buffer.from(`${JSON.stringify(drill, null, 1)}\n`)
  }
  await store.put(name, content())
  return name
}

/** The record of the last drill, null without one. */
export async function newestDrill(store: BackupStore): Promise<Drill | null> {
  const name = (await store.list('drills')).at(-1)?.name
  return name ? Drill.parse(JSON.parse(await text(await store.get(name)))) : null
}
