import type { Count, LimitStore } from '../http/limit-store.ts'
import type { Peers } from './peers.ts'

type NamedCount = Count & { name: string }

/**
 * Has nodes count together: each tells the others what its limits count, so that trying another node is no new try. Keys travel as hashes. A
 * count that is lost with a connection is one try more; two nodes that count at the same moment may both let the last one pass.
 */
export function limitsShared(peers: Peers): (name: string, counters: LimitStore) => void {
  const stores = new Map<string, LimitStore>()
  peers.on('limit', (body) => {
    const { name, ...count } = body as NamedCount
    stores.get(name)?.countElsewhere(count)
  })
  return (name, counters) => {
    stores.set(name, counters)
    counters.onCount((count) => {
      for (const peer of peers.connected()) peers.tell(peer, 'limit', { name, ...count } satisfies NamedCount)
    })
  }
}
