import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'

/** The configuration that operators get. */
export const proxyFile = new URL('../../deploy/haproxy/isotherm.cfg', import.meta.url).pathname

/** Where haproxy listens, and the addresses of up to three nodes behind it. */
export interface Proxied {
  http: number
  mqtt: number
  nodes: { http: readonly string[]; mqtt: readonly string[] }
}

/** The variables of its configuration. The whole fleet of a bench comes from one address. */
export function variablesOf({ http, mqtt, nodes }: Proxied): Record<string, string> {
  const named = (what: 'HTTP' | 'MQTT', addresses: readonly string[]) =>
    addresses.map((address, index) => [`NODE_${index + 1}_${what}`, address] as const)
  return {
    ...Object.fromEntries([...named('HTTP', nodes.http), ...named('MQTT', nodes.mqtt)]),
    ...{ HTTP_BIND: `127.0.0.1:${http}`, MQTT_BIND: `127.0.0.1:${mqtt}`, MAX_CONNECTIONS: '4000' },
    ...{ HTTP_PER_ADDRESS: '4000', MQTT_PER_ADDRESS: '4000' },
  }
}

/** Starts haproxy with the file of deploy/; it is there when a node answers through it. */
export async function startProxy(proxied: Proxied): Promise<ChildProcess> {
  const proxy = spawn('haproxy', ['-db', '-q', '-f', proxyFile], {
    env: { ...process.env, ...variablesOf(proxied) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (let tries = 0; tries < 400; tries++) {
    if (proxy.exitCode !== null) throw new Error(`haproxy ended with ${proxy.exitCode}`)
    const answer = await fetch(`http://127.0.0.1:${proxied.http}/health`).catch(() => null)
    if (answer?.ok) return proxy
    await sleep(50)
  }
  await ended(proxy, 'SIGKILL')
  throw new Error('haproxy did not come up')
}
