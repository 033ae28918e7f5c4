import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'

/** Sends one reading by HTTP once; whether it was acknowledged. */
export async function sayOnce(
  { imei, secret }: BenchDevice,
  port: number,
  at: number,
  temperatureC: number,
): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}${apiBase}/ingest/${imei}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ at: new Date(at).toISOString(), temperatureC }),
  }).catch(() => null)
  await answer?.arrayBuffer().catch(() => {})
  return answer?.ok ?? false
}

/** Sends one reading by HTTP until it is acknowledged. */
export async function say(device: BenchDevice, port: number, at: number, temperatureC: number): Promise<void> {
  while (!(await sayOnce(device, port, at, temperatureC))) await sleep(50)
}
