import { startWriterProcess } from '../../../reporting/writer-process.ts'
import type { DeviceDetail, RunOrder, WriterNews, Written } from './order.ts'

const main = new URL('./main.ts', import.meta.url)

/**
 * Writes a run's files in a process of its own. `tell` gives it the next device (null: that was all) and resolves once it
 * has taken it: no more than one device waits. `written` rejects when the process fails, and then so does `tell`.
 */
export function startWriter(order: RunOrder, onShare: (share: number) => void) {
  let isReady = readiness()
  const { written, send, stop } = startWriterProcess<Written, WriterNews>({
    main,
    order,
    heapMb: 160,
    longestMs: 60 * 60_000,
    onNews: (news) => (news.kind === 'next' ? isReady.resolve() : onShare(news.share)),
    onFail: (error) => isReady.reject(error),
  })
  return {
    written,
    async tell(device: DeviceDetail | null): Promise<void> {
      await isReady.promise
      isReady = readiness()
      send({ device })
      // The last message needs no answer; readers of the snapshot have begun with the first.
      if (device) await isReady.promise
    },
    stop,
  }
}

function readiness() {
  const ready = Promise.withResolvers<void>()
  // Nobody may be waiting for it yet when it fails.
  ready.promise.catch(() => {})
  return ready
}
