import type { Peers } from '../cluster/peers.ts'
import { type Bus, type BusEvent, localBus } from './bus.ts'

type Watch = { all: number[] } | { companyId: number; isOn: boolean }

/**
 * The bus of several nodes: an event goes to the listeners here, and over the channel to each node that has listeners of its company. A
 * node that cannot be told, or comes back, makes the listeners hear that they may have missed something.
 */
export function clusterBus(peers: Peers): Bus {
  const here = localBus()
  const listeners = new Map<number, number>()
  const watchedBy = new Map<string, Set<number>>()
  const missed = new Set<() => void>()
  const tellMissed = () => {
    for (const tell of missed) tell()
  }
  const tellAll = (watch: Watch) => {
    for (const peer of peers.connected()) peers.tell(peer, 'watch', watch)
  }
  peers.on('event', (body) => here.publish(body as BusEvent))
  peers.on('watch', (body, from) => {
    const watch = body as Watch
    const companies = watchedBy.get(from) ?? new Set()
    if ('all' in watch) watchedBy.set(from, new Set(watch.all))
    else if (watch.isOn) watchedBy.set(from, companies.add(watch.companyId))
    else companies.delete(watch.companyId)
  })
  peers.onJoined((peer) => {
    peers.ask(peer, 'watch', { all: [...listeners.keys()] } satisfies Watch).then(tellMissed, () => {})
  })
  peers.onArrived(tellMissed)
  peers.onLeft((peer) => {
    watchedBy.delete(peer)
    tellMissed()
  })
  return {
    publish(event) {
      here.publish(event)
      for (const [peer, companies] of watchedBy) if (companies.has(event.companyId)) peers.tell(peer, 'event', event)
    },
    subscribe(companyId, listener, onMissed) {
      const count = listeners.get(companyId) ?? 0
      listeners.set(companyId, count + 1)
      if (count === 0) tellAll({ companyId, isOn: true })
      const end = here.subscribe(companyId, listener)
      if (onMissed) missed.add(onMissed)
      return () => {
        end()
        if (onMissed) missed.delete(onMissed)
        const left = (listeners.get(companyId) ?? 1) - 1
        if (left > 0) return void listeners.set(companyId, left)
        listeners.delete(companyId)
        tellAll({ companyId, isOn: false })
      }
    },
  }
}
