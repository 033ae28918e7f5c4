interface Bounds {
  /** For the whole answer, its body included. */
  timeoutMs: number
  maxBytes: number
}

export interface TextAnswer {
  status: number
  headers: Headers
  text: string
}

/** Asks a server and reads its answer. Bounded in time and size; a redirect is an error: it would carry our keys elsewhere. */
export async function boundedFetch(url: string, init: RequestInit, bounds: Bounds): Promise<TextAnswer> {
  const signal = AbortSignal.timeout(bounds.timeoutMs)
  const answer = await fetch(url, { ...init, redirect: 'error', signal })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > bounds.maxBytes) throw new Error('the provider answered too much')
    parts.push(part)
  }
  return { status: answer.status, headers: answer.headers, text: Buffer.concat(parts).toString('utf8') }
}

const NO_CONNECTION = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Whether a fetch failed before there was a connection, so that the server cannot have done anything. */
export function wasNeverSent(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && NO_CONNECTION.includes(String(cause.code))
}
