import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from './fleet.ts'

/** Sends one reading; again after `pauseMs` where the server is busy or away. */
export function poster(port: number, pauseMs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const once = ({ imei, secret }: BenchDevice, body: string) =>
    new Promise<boolean>((resolve) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const path = `${apiBase}/ingest/${imei}`
      const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode === 200))
        answer.on('error', () => resolve(false))
      })
      sent.on('error', () => resolve(false))
      sent.end(body)
    })
  return async (device: BenchDevice, temperatureC: number) => {
    const body = JSON.stringify({ at: new Date().toISOString(), temperatureC })
    while (!(await once(device, body))) await sleep(pauseMs)
  }
}
