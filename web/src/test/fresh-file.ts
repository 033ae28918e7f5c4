import { afterAll, vi } from 'vitest'

// Files share a worker, and so the libraries. Each file has modules of the app, a page and globals of its own.
vi.resetModules()
await globalThis.openNewPage?.()

const { setTimeout, setInterval } = globalThis
const timers = new Set<NodeJS.Timeout>()

/** As `start`, whose timers end with the file. */
const kept = <Start extends typeof setTimeout | typeof setInterval>(start: Start): Start =>
  Object.assign((...args: Parameters<Start>) => {
    const timer = Reflect.apply(start, globalThis, args) as NodeJS.Timeout
    timers.add(timer)
    return timer
  }, start) as unknown as Start

globalThis.setTimeout = kept(setTimeout)
globalThis.setInterval = kept(setInterval)

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const timer of timers) clearTimeout(timer)
  globalThis.setTimeout = setTimeout
  globalThis.setInterval = setInterval
})
