import { totalmem } from 'node:os'

/** In a larger nursery less is alive when it is full: half of the collector's time under load, for 70 MB more. */
const nurseryMb = totalmem() < 3e9 ? 8 : 32

/**
 * The flags of the server's process. Without a bound of the heap the collector lets it grow to twice as much under full load
 * (bench/ingest). HEAP_MB is for fleets of some ten thousand devices and more.
 */
export function heapFlags(heapMb = process.env.HEAP_MB ?? '512') {
  if (!/^\d{3,6}$/.test(heapMb)) throw new Error('HEAP_MB must be a number of megabytes, 100 at least')
  return [`--max-semi-space-size=${nurseryMb}`, `--max-old-space-size=${heapMb}`]
}
