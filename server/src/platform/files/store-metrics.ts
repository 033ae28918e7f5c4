import { Counter, type Registry } from 'prom-client'
import type { ObjectStore } from './object-store.ts'

/** Tells what the bucket was asked: calls, seconds and bytes that were put, by kind and result. */
export function reportStore(registry: Registry, store: ObjectStore): void {
  const told = {
    calls: 'Calls to the bucket',
    seconds: 'Seconds that calls to the bucket took',
    bytes: 'Bytes put in the bucket',
  }
  for (const [what, help] of Object.entries(told) as [keyof typeof told, string][])
    new Counter({
      ...{ name: `isotherm_files_store_${what}_total`, help, labelNames: ['kind', 'result'], registers: [registry] },
      collect() {
        this.reset()
        for (const { kind, result, ...figures } of store.figures()) this.inc({ kind, result }, figures[what])
      },
    })
}
