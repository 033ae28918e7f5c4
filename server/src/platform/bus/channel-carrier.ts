import type { Peers } from '../cluster/peers.ts'
import type { BusEvent } from './bus.ts'
import type { Carrier } from './carrier.ts'

type Watch = { all: number[] } | { companyId: number; isOn: boolean }

/**
 * Takes events over the channel between the servers, to each one that said that it has listeners of the company. A server that cannot be
 * told, or comes back, makes the listeners hear that they may have missed something.
 */
export function channelCarrier(peers: Peers): Carrier {
  const watchedBy = new Map<string, Set<number>>()
  return {
    begin({ take, missed, watched }) {
      peers.on('event', (body) => take(body as BusEvent))
      peers.on('watch', (body, from) => {
        const watch = body as Watch
        const companies = watchedBy.get(from) ?? new Set()
        if ('all' in watch) watchedBy.set(from, new Set(watch.all))
        else if (watch.isOn) watchedBy.set(from, companies.add(watch.companyId))
        else companies.delete(watch.companyId)
      })
      peers.onJoined((peer) => {
        peers.ask(peer, 'watch', { all: watched() } satisfies Watch).then(
          () => missed(),
          () => {},
        )
      })
      peers.onArrived(() => missed())
      peers.onLeft((peer) => {
        watchedBy.delete(peer)
        missed()
      })
    },
    send(event) {
      for (const [peer, companies] of watchedBy) if (companies.has(event.companyId)) peers.tell(peer, 'event', event)
    },
    watch(companyId, isOn) {
      for (const peer of peers.connected()) peers.tell(peer, 'watch', { companyId, isOn } satisfies Watch)
    },
  }
}
