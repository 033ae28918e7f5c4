import { EventEmitter } from 'node:events'

/** Something a browser may want to know, already committed. `data` is what travels to it. */
export interface BusEvent {
  companyId: number
  kind:
    | ('reading' | 'excursion' | 'device' | 'permissions' | 'session')
    | ('trigger' | 'notification' | 'place' | 'order' | 'shipment')
  /** The device it is about, for visibility. */
  deviceId?: number
  /** Whether only Admins may see the device. */
  private?: boolean
  /** For a trigger: whether only Admins may see its alarm. */
  alarmIsPrivate?: boolean
  /** The only person whom it concerns. */
  userId?: string
  data: unknown
}

export interface Bus {
  publish(event: BusEvent): void
  /** Returns the function that unsubscribes. `missed` is called where events of other servers may have been lost. */
  subscribe(companyId: number, listener: (event: BusEvent) => void, missed?: () => void): () => void
}

/** The bus of a single node. Listeners run synchronously and must not throw. */
export function localBus(): Bus {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    publish: (event) => void emitter.emit(String(event.companyId), event),
    subscribe(companyId, listener) {
      emitter.on(String(companyId), listener)
      return () => emitter.off(String(companyId), listener)
    },
  }
}
