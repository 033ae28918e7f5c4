import { LedgerComparison } from './platform/audit/compare-ledgers.ts'
import type { Cluster } from './platform/cluster/cluster.ts'
import { assetsShared } from './platform/cluster/share-assets.ts'
import { limitsShared } from './platform/cluster/share-limits.ts'
import { ratesShared } from './platform/cluster/share-rates.ts'
import { assetFolder } from './platform/http/web-app.ts'
import type { Services } from './platform/services.ts'

/** Gives a node what it knows by the others: their limits and rates, ledgers to compare, files of other versions. Returns what ends that. */
export function shareWithNodes(services: Services, { members, peers, onDrain }: Cluster): () => Promise<void> {
  const { ledger, log, buckets, clock } = services
  const nameOf = (id: string) => members.nodes.find((node) => node.id === id)?.name ?? id
  const ledgers = new LedgerComparison(peers, ledger, log, nameOf)
  ledgers.start()
  Object.assign(services, {
    ledgers,
    onDrain,
    shareLimit: limitsShared(peers),
    findAsset: assetsShared(peers, assetFolder),
  } satisfies Partial<Services>)
  const endRates = ratesShared(peers, buckets, clock)
  return async () => {
    await endRates()
    ledgers.stop()
  }
}
