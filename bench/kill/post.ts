import { request } from 'node:http'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'

/** Why a message was not acknowledged. */
export interface Refusal {
  reason: string
  /** Null: nothing was said. */
  retryAfterS: number | null
}

/** `conflict`: the place of the reading that may be refused as one. */
export function post(
  { imei, secret }: BenchDevice,
  port: number,
  body: string,
  conflict: number | null,
): Promise<Refusal | null> {
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${apiBase}/ingest/${imei}`,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        timeout: 20_000,
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('error', (error) => resolve(refusal(`${answer.statusCode} cut off: ${error.message}`)))
        answer.on('end', () => {
          const reason = faultOf(answer.statusCode, text, conflict)
          const retryAfter = answer.headers['retry-after']
          resolve(reason === null ? null : refusal(reason, retryAfter ? Number(retryAfter) : null))
        })
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(refusal(error.code ?? error.message)))
    sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')))
    sent.end(body)
  })
}

export const refusal = (reason: string, retryAfterS: number | null = null): Refusal => ({ reason, retryAfterS })

/** Says why an answer acknowledges nothing, or null: the code of the server, or the first words of somebody else. */
export function faultOf(status: number | undefined, text: string, conflict: number | null = null): string | null {
  try {
    const { payload, code } = JSON.parse(text)
    if (status !== 200) return `${status} ${code}`
    const rejected: { index: number; code: string }[] = payload.rejected ?? []
    const strange = rejected.find((one) => one.code !== 'CONFLICT' || one.index !== conflict)
    return strange ? `rejected as ${strange.code}` : null
  } catch {
    return `${status} ${text
      .replace(/<[^>]*>|\s+/g, ' ')
      .trim()
      .slice(0, 60)}`
  }
}
