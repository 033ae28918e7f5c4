import { fork } from 'node:child_process'
import type { HttpLoad, LoadResult } from './load-http.ts'
import type { MqttLoad } from './load-mqtt.ts'

/** Runs a load generator in a process of its own: prepares every byte first, then sends. */
export function generate(kind: 'http', load: HttpLoad): Promise<LoadResult>
export function generate(kind: 'mqtt', load: MqttLoad): Promise<LoadResult>
export function generate(kind: 'http' | 'mqtt', load: HttpLoad | MqttLoad): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(`load-${kind}.ts`, import.meta.url), [JSON.stringify(load)])
    child.on('message', (message) => {
      if (message === 'ready') child.send('go')
      else resolve(message as LoadResult)
    })
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`the generator ended with ${code}`)))
  })
}
