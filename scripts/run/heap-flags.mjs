import { availableParallelism, totalmem } from 'node:os'

/** In a larger nursery less is alive when it is full: half of the collector's time under load, for 70 MB more. */
const nurseryMb = totalmem() < 3e9 ? 8 : 32

/**
 * The collector and the compiler of V8 have four threads whatever the machine has. On two processors they kept the event loop and PostgreSQL waiting for
 * 100 to 300 ms at a time (docs/adr/0095). One processor is left to the event loop.
 */
export const collectorThreads = (processors = availableParallelism()) => Math.min(4, Math.max(1, processors - 1))

/**
 * The flags of the server's process. Without a bound of the heap the collector lets it grow to twice as much under full load
 * (bench/ingest). HEAP_MB is for fleets of some ten thousand devices and more.
 */
export function heapFlags(heapMb = process.env.HEAP_MB ?? '512') {
  if (!/^\d{3,6}$/.test(heapMb)) throw new Error('HEAP_MB must be a number of megabytes, 100 at least')
  return [
    `--max-semi-space-size=${nurseryMb}`,
    `--max-old-space-size=${heapMb}`,
    `--v8-pool-size=${collectorThreads()}`,
  ]
}

/**
 * The settings of glibc's allocator for the server's process; who runs it may set others. Large blocks (pages of exports, long bodies) are asked of the system
 * and given back to it: without a fixed bound glibc keeps them in its heap once it has seen some, which then grows for as long as an export lasts
 * (docs/adr/0078). PostgreSQL does not inherit them.
 */
export function memoryVariables(env = process.env) {
  const usual = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
  return Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, env[name] ?? value]))
}
