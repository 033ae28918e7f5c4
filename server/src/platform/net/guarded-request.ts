import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { onUpgrade, type Reachable, resolveGuarded, toJudged } from '../messaging/webhook.ts'

export interface GuardedRequest {
  method: 'GET' | 'POST' | 'OPTIONS'
  url: string
  headers: Record<string, string>
  body?: string
  allowPrivate: boolean
  timeoutMs: number
}

export interface GuardedAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** The beginning of the answer. */
  text: string
}

const maxBytes = 65_536

/**
 * Asks an address that somebody gave us, guarded as webhooks are, and reads the beginning of its answer. Redirects are not followed. `refused`: for
 * good. Throws where it may be tried again: a TimeoutError where `timeoutMs` were over.
 */
export async function requestGuarded(asked: GuardedRequest): Promise<{ refused: string } | GuardedAnswer> {
  // One deadline for all of it, from the look-up of the name to the end of the answer.
  const deadline = AbortSignal.timeout(asked.timeoutMs)
  try {
    const resolved = await resolveGuarded(asked.url, asked.allowPrivate, deadline)
    return 'refused' in resolved ? resolved : await exchange(asked, resolved, deadline)
  } catch (error) {
    // However what was under way calls its end.
    throw deadline.aborted ? deadline.reason : error
  }
}

function exchange(asked: GuardedRequest, { target, to }: Reachable, signal: AbortSignal): Promise<GuardedAnswer> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  const { body = '' } = asked
  return new Promise((resolve, reject) => {
    const sending = request(
      target,
      {
        method: asked.method,
        headers: {
          ...{ 'user-agent': 'Isotherm', ...asked.headers },
          ...(asked.method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {}),
        },
        ...toJudged(to),
        signal,
      },
      (answer) => {
        const parts: Buffer[] = []
        let bytes = 0
        const finish = () =>
          resolve({
            ...{ status: answer.statusCode ?? 0, headers: answer.headers },
            text: Buffer.concat(parts).toString('utf8', 0, maxBytes),
          })
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          bytes += part.length
          if (bytes < maxBytes) return
          finish()
          answer.destroy()
        })
        answer.on('end', finish)
        answer.on('error', reject)
      },
    )
    onUpgrade(sending, ({ statusCode = 0, headers }) => resolve({ status: statusCode, headers, text: '' }))
    sending.on('error', reject)
    sending.end(asked.method === 'POST' ? body : undefined)
  })
}
