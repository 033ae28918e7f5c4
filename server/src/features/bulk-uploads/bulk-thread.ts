import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BulkKindName, BulkUpload, DateOrder } from '@isotherm/contract/bulk-uploads.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { KeptFault, KeptPreview } from '../../core/bulk/bulk-rules.ts'

/** The order that the thread is started with. */
export interface BulkOrder {
  kind: BulkKindName
  /** The address of a module whose `rules` are BulkRules. */
  rules: string
  bytes: Uint8Array<ArrayBuffer>
  dateOrder: DateOrder
  fillsMerged: boolean
  /** The language of the marked workbook. */
  locale: Locale
  /** Where the marked workbook is written if something is wrong. */
  markedPath: string
}

/** The news of the thread, in this order; after `ask` it waits for the facts, after `right` and `things` for a word to go on. */
export type BulkNews =
  | { kind: 'read'; rows: number; source: NonNullable<BulkUpload['source']> }
  | { kind: 'ask'; ask: unknown }
  | { kind: 'progress'; share: number }
  | { kind: 'wrong'; count: number; errors: KeptFault[]; preview: KeptPreview | null; isMarked: boolean }
  | { kind: 'right'; makes: number; preview: KeptPreview }
  | { kind: 'things'; things: string; count: number }
  | { kind: 'end' }

/** A thread that says nothing for so long hangs: on a busy machine a file may take longer, but not a piece of it. No file takes that much memory. */
const longestSilenceMs = 120_000
const memoryMb = 512

/**
 * Reads and checks a file in a thread of its own: however large it is, answers are not held up. It ends with the loop over `news`, which
 * throws what fails there.
 */
export function startBulkThread(order: BulkOrder) {
  const worker = new Worker(new URL('./bulk-worker.ts', import.meta.url), {
    workerData: order,
    transferList: [order.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const timer = setTimeout(() => void worker.terminate(), longestSilenceMs)
  // Also of a failure between the end of the loop and its own: nobody listens any more, and the server would end.
  worker.on('error', () => {})
  const messages = on(worker, 'message', { close: ['exit'] })
  return {
    async *news(): AsyncGenerator<BulkNews> {
      for await (const [news] of messages) {
        timer.refresh()
        yield news as BulkNews
      }
    },
    answer(facts: unknown): void {
      timer.refresh()
      worker.postMessage(facts)
    },
    async stop(): Promise<void> {
      clearTimeout(timer)
      await worker.terminate()
    },
  }
}
