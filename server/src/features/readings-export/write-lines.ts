import { Readable } from 'node:stream'
import type { ExportCursor } from '@isotherm/contract/readings-export.ts'
import type { Counter } from 'prom-client'
import { patiently } from '../../platform/db/patiently.ts'
import { restAfter } from '../../platform/loop/rest.ts'
import type { Services } from '../../platform/services.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { type Export, lastArrival, readPage } from './read-page.ts'

/** A caller who takes nothing for so long is gone, or holds a place that others want. */
const stallMs = 120_000

export interface Lines extends Export {
  cursor: Cursor
  limit: number
  bytes: Counter
}

/**
 * The lines of an export as a stream. One page is made at a time, once the one before has been taken: nothing waits in memory, and no transaction is open
 * while the caller reads.
 */
export function openLines(services: Services, lines: Lines): Readable {
  const stream = Readable.from(
    write(services, lines, () => stream.destroy()),
    { objectMode: false, highWaterMark: 1 },
  )
  return stream
}

async function* write(services: Services, lines: Lines, giveUp: () => void): AsyncGenerator<string> {
  const { bytes, cursor } = lines
  let { place } = cursor
  let left = lines.limit
  let last: string | undefined
  for (;;) {
    if (place.phase === 'new') last ??= await lastArrival(services, lines.session.companyId)
    const begun = performance.now()
    const page = await patiently(() => readPage(services, lines, { place, last: last ?? '0', atMost: left }))
    left -= page.count
    place = page.place
    const end: ExportCursor = {
      cursor: writeCursor({ ...cursor, place }),
      hasMore: !page.isLast,
      hidden: page.hidden,
    }
    const tookMs = performance.now() - begun
    for (const text of [...page.texts, `${JSON.stringify(end)}\n`]) {
      const stalled = setTimeout(giveUp, stallMs)
      try {
        bytes.inc(Buffer.byteLength(text))
        yield text
      } finally {
        clearTimeout(stalled)
      }
    }
    if (page.isLast || left <= 0) return
    await restAfter(tookMs)
  }
}
