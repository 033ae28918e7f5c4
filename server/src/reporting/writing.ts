import { stat } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { hashedFile } from './hashed-file.ts'
import type { WriterEnd } from './writer-process.ts'

// The other side of writer-process.ts: what a writing process does.

/** Tells the parent; resolves once it is on its way. */
export const tell = <News extends { kind: string }>(news: News) =>
  new Promise<void>((sent) => {
    if (process.send) process.send(news, () => sent())
    else sent()
  })

/** Writes what the parent orders, tells it how that ended, and lets the process end. */
export function onOrder<Order, Written>(write: (order: Order) => Promise<Written>) {
  // Without its parent nobody waits for the files.
  process.once('disconnect', () => process.exit(1))
  process.once('message', async (order: Order) => {
    try {
      await tell<WriterEnd<Written>>({ kind: 'written', written: await write(order) })
    } catch (error) {
      console.error(error)
      await tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
    }
    process.disconnect()
  })
}

/** Writes one file, which must not stay empty. `write` resolves with its number of pages, if it has such; the hash is hex. */
export async function writeFile(path: string, write: (out: Transform) => Promise<number | null>) {
  const file = hashedFile(path)
  const pages = await write(file.stream)
  const fileSha256 = await file.end()
  if ((await stat(path)).size === 0) throw new Error('nothing was written')
  return { pages, fileSha256 }
}
