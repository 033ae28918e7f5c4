import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes, and waits while the other side is full: memory stays flat however long the file. */
export async function drained(out: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!out.write(chunk)) await once(out, 'drain')
}
