import type { Config } from './config.ts'
import { isLoopback } from './values.ts'

/** Warnings for an operator: the configuration works but leaves something open; a sentence each. */
export function warningsOf(config: Pick<Config, 'host' | 'mqttHost' | 'mqttPort' | 'trustProxy'>): string[] {
  if (config.trustProxy === false) return []
  const warnings: string[] = []
  if (!isLoopback(config.host))
    warnings.push(
      `HOST is ${config.host}: this port can be reached past the proxy, without TLS. Where the proxy is on this machine, set HOST=127.0.0.1.`,
    )
  if (config.mqttPort !== null && !isLoopback(config.mqttHost))
    warnings.push(
      `MQTT listens on ${config.mqttHost}: trackers that do not come by a TLS proxy send their secrets in the clear. Behind a proxy on this machine, set MQTT_HOST=127.0.0.1.`,
    )
  return warnings
}
