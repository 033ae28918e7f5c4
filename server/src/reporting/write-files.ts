// The process that writes the files of a report and ends. Its parent tells it what by message; see writer-process.ts.
import { openSnapshot } from './snapshot-queries.ts'
import { inSteps } from './steps.ts'
import type { Writer, WriterNews, WriterOrder } from './writer-process.ts'

/** Tells the parent; resolves once it is on its way. */
const tell = (news: WriterNews<unknown>) => new Promise<void>((sent) => process.send?.(news, () => sent()))

async function next(): Promise<unknown> {
  const answer = new Promise((resolve) => process.once('message', ({ part }: { part: unknown }) => resolve(part)))
  await tell({ kind: 'next' })
  return answer
}

async function writeBy({ writer, order, companyId, databaseUrl, snapshot }: WriterOrder<unknown>) {
  const { write } = (await import(writer)) as { write: Writer<unknown, unknown, unknown> }
  const { rows, close } = await openSnapshot(databaseUrl, snapshot, companyId)
  try {
    const tellShare = inSteps(0.01, (share) => void tell({ kind: 'progress', share }))
    return await write(order, { next, rows, tellShare })
  } finally {
    await close()
  }
}

// Without its parent nobody waits for the files.
process.once('disconnect', () => process.exit(1))
process.once('message', async (order: WriterOrder<unknown>) => {
  try {
    await tell({ kind: 'written', written: await writeBy(order) })
  } catch (error) {
    console.error(error)
    await tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
  process.disconnect()
})
