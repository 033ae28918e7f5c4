import { type Bus, localBus } from './bus.ts'
import type { Carrier } from './carrier.ts'

/** The bus of several nodes: an event goes to the listeners here, and by the carrier to each node that has listeners of its company. */
export function clusterBus(carrier: Carrier): Bus {
  const here = localBus()
  const listeners = new Map<number, number>()
  const missed = new Map<() => void, number>()
  carrier.begin({
    take: (event) => here.publish(event),
    missed(companyId) {
      for (const [tell, of] of missed) if (companyId === undefined || companyId === of) tell()
    },
    watched: () => [...listeners.keys()],
  })
  return {
    publish(event) {
      here.publish(event)
      carrier.send(event)
    },
    subscribe(companyId, listener, onMissed) {
      const count = listeners.get(companyId) ?? 0
      listeners.set(companyId, count + 1)
      if (count === 0) carrier.watch(companyId, true)
      const end = here.subscribe(companyId, listener)
      if (onMissed) missed.set(onMissed, companyId)
      return () => {
        end()
        if (onMissed) missed.delete(onMissed)
        const left = (listeners.get(companyId) ?? 1) - 1
        if (left > 0) return void listeners.set(companyId, left)
        listeners.delete(companyId)
        carrier.watch(companyId, false)
      }
    },
  }
}
