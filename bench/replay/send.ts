import { spawn } from 'node:child_process'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'

/** Sends a JSON body with curl; the answer's payload. */
export async function byCurl(
  device: BenchDevice,
  port: number,
  body: unknown,
): Promise<{ accepted: number; duplicates: number }> {
  const url = `http://127.0.0.1:${port}${apiBase}/ingest/${device.imei}`
  const headers = ['-H', `Authorization: Bearer ${device.secret}`, '-H', 'Content-Type: application/json']
  const text = await run(
    'curl',
    ['-sS', '--fail-with-body', url, ...headers, '--data-binary', '@-'],
    JSON.stringify(body),
  )
  return JSON.parse(text).payload
}

/** Publishes each body as a message at QoS 1 with mosquitto_pub, one after the other; it ends when all are acknowledged. */
export async function byMosquitto(device: BenchDevice, port: number, bodies: unknown[]): Promise<void> {
  const login = ['-h', '127.0.0.1', '-p', String(port), '-u', device.imei, '-P', device.secret]
  const topic = ['-t', `devices/${device.imei}/readings`]
  await run(
    'mosquitto_pub',
    [...login, ...topic, '-q', '1', '-l'],
    bodies.map((body) => `${JSON.stringify(body)}\n`).join(''),
  )
}

function run(command: string, args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${command} ended with ${code}: ${text}`)),
    )
    child.stdin.end(input)
  })
}
