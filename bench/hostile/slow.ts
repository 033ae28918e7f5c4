import type { Client } from './client.ts'
import { described } from './judge.ts'
import type { Ready } from './ready.ts'
import type { Tally } from './tally.ts'

interface Asking {
  client: Client
  tally: Tally
  maxMs: number
  /** The request of this index, as it is sent now. */
  again(index: number): Ready
}

/** Asks slow requests again alone: only a request that is slow by itself is a fault. */
export async function slowAlone({ client, tally, maxMs, again }: Asking): Promise<void> {
  for (const { ms, index, origin } of tally.slowest) {
    if (ms < maxMs) continue
    const sent = again(index)
    const { ms: alone } = await client.send(sent)
    console.log(`${origin} at ${index}: ${ms} ms among others, ${Math.round(alone)} ms alone`)
    if (alone > maxMs)
      tally.fault({ what: `takes ${Math.round(alone)} ms`, index, request: described(sent) }, `slow ${origin}`)
  }
}
