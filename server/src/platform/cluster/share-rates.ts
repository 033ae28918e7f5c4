import type { Clock } from '../clock/clock.ts'
import type { Buckets, Spent } from '../http/buckets.ts'
import type { Peers } from './peers.ts'

const everyMs = 250
/** With so many keys it is told at once. */
const maxKeys = 500

/**
 * Has nodes take from the same buckets: each tells the others four times a second what calls took, so that a person or a key has one rate however
 * many nodes it calls. Two nodes that are called in the same moment may both let the last call pass; what they gave too much is made up for later.
 * Returns what ends it.
 */
export function ratesShared(peers: Peers, buckets: Buckets, clock: Clock): () => Promise<void> {
  let spent = new Map<string, Spent>()
  const flush = () => {
    if (spent.size === 0) return
    const all = [...spent.values()]
    spent = new Map()
    for (const peer of peers.connected()) peers.tell(peer, 'spent', all)
  }
  buckets.onSpend(({ key, bucket, cost }) => {
    const before = spent.get(key)?.cost ?? 0
    spent.set(key, { key, bucket, cost: before + cost })
    if (spent.size >= maxKeys) flush()
  })
  peers.on('spent', (body) => {
    const now = clock.now().getTime()
    for (const each of body as Spent[]) buckets.spendElsewhere(each, now)
  })
  const timer = setInterval(flush, everyMs)
  return async () => clearInterval(timer)
}
