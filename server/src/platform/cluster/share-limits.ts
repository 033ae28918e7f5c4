import type { Count } from '../http/limit-store.ts'
import type { Services } from '../services.ts'
import type { Peers } from './peers.ts'

type NamedCount = Count & { name: string }

/**
 * Has nodes count together: each tells the others what its limits count, so that trying another node is no new try. Keys travel as hashes. A
 * count that is lost with a connection is one try more; two nodes that count at the same moment may both let the last one pass.
 */
export function limitsShared(peers: Peers): NonNullable<Services['shareLimit']> {
  const stores = new Map<string, (count: Count) => void>()
  peers.on('limit', (body) => {
    const { name, ...count } = body as NamedCount
    stores.get(name)?.(count)
  })
  return (name, counters, now = Date.now) => {
    stores.set(name, (count) => counters.countElsewhere(count, now()))
    counters.onCount((count) => {
      for (const peer of peers.connected()) peers.tell(peer, 'limit', { name, ...count } satisfies NamedCount)
    })
  }
}
