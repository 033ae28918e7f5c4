import { Agent, request } from 'node:http'
import { apiBase } from '../../contract/src/call.ts'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { buildUser } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'

/** A logged-in Admin of a company, asking the server over HTTP. */
export interface Admin {
  /** The answer's payload, and its size; anything but 200 throws. `path` is below /app/api/v1. */
  ask<T>(path: string): Promise<{ payload: T; bytes: number }>
}

export async function logIn(databaseUrl: string, companyId: number, port: number): Promise<Admin> {
  const pool = createPool(databaseUrl, 2, () => {})
  const { token } = await buildUser({ pool, clock: systemClock } as unknown as TestApp, { company: { companyId } })
  await pool.end()
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${token}` }
  return {
    ask: <T>(path: string) =>
      new Promise<{ payload: T; bytes: number }>((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path: `${apiBase}${path}`, headers, agent }
        const sent = request(options, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('end', () => {
            const body = Buffer.concat(chunks)
            if (answer.statusCode !== 200)
              reject(new Error(`${path}: ${answer.statusCode} ${body.toString().slice(0, 300)}`))
            else resolve({ payload: JSON.parse(body.toString()).payload, bytes: body.length })
          })
        })
        sent.on('error', reject)
        sent.end()
      }),
  }
}
