import { memoryOf } from './memory.ts'
import { httpUplink } from './protocol/http.ts'
import { mqttUplink } from './protocol/mqtt.ts'
import type { UplinkOptions } from './protocol/uplink.ts'
import { type SecretOf, secretsOf } from './secrets.ts'
import type { TrackerSpec } from './spec.ts'
import { runTracker, type TrackerContext } from './tracker.ts'

export type LiveOptions = {
  /** Where the HTTP trackers post. */
  baseUrl: string
  /** Where the MQTT trackers connect, as mqtt://host:port. */
  mqttUrl: string
  secretOf: SecretOf
  fleet: readonly TrackerSpec[]
  signal: AbortSignal
  log?: (message: string) => void
  /** The `to` of `loadHistory`: what was measured after it, or held back then, is sent first. Default: now. */
  since?: Date
  /** File in which the trackers keep settings and progress over a restart. It takes precedence over `since`. */
  memoryFile?: string
  /** Seconds of the trackers' time in a real second, from `startAt` on. For tests; default 1. */
  timeScale?: number
  startAt?: Date
}

/** Runs the fleet in real time over MQTT and HTTP until the signal stops it; then resolves with every connection closed. */
export async function runLive(options: LiveOptions): Promise<void> {
  const { signal, fleet } = options
  const log = options.log ?? (() => {})
  const scale = options.timeScale ?? 1
  const memory = memoryOf(options.memoryFile)
  const realStart = Date.now()
  const start = (options.startAt?.getTime() ?? realStart) / 1000
  const common: Omit<TrackerContext, 'uplinkOf'> = {
    now: () => start + ((Date.now() - realStart) / 1000) * scale,
    msPerSecond: 1000 / scale,
    signal,
    log,
    memory,
    since: (options.since?.getTime() ?? start * 1000) / 1000,
  }
  const secrets = await secretsOf(fleet, options.secretOf)
  const run = (spec: TrackerSpec, secret: string) =>
    runTracker(spec, {
      ...common,
      uplinkOf: (onCommands) => {
        const uplink: UplinkOptions = { imei: spec.imei, secret, signal, onCommands }
        return spec.link === 'mqtt' ? mqttUplink(options.mqttUrl, uplink, log) : httpUplink(options.baseUrl, uplink)
      },
    })
  try {
    await Promise.all(secrets.map(([spec, secret]) => run(spec, secret)))
  } finally {
    memory.flush()
  }
}
