/** An event cannot be trusted: its signature is wrong, its time too old, or a header is missing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

type Value = string | string[] | undefined
/** The headers of fetch, by whatever implementation. */
interface HeadersLike {
  get(name: string): string | null
}

export interface VerifyOptions {
  /** The time of now in ms since 1970. */
  now?: number
  /** How far the time of an event may be from now, in seconds; 300 by default. */
  toleranceS?: number
}

/**
 * The event in a webhook's body, once its signature by one of the secrets is found right (Standard Webhooks 1.0: HMAC-SHA-256 over id, time and
 * body). `body` is the text as it came, not parsed and written anew. Throws WebhookRefused.
 */
export async function verifyWebhook<Event = unknown>(
  secrets: string | readonly string[],
  headers: HeadersLike | Record<string, Value>,
  body: string,
  { now = Date.now(), toleranceS = 300 }: VerifyOptions = {},
): Promise<Event> {
  const [id, at, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !at || !given) throw new WebhookRefused('a header of the webhook is missing')
  if (!/^\d{1,12}$/.test(at) || Math.abs(now / 1000 - Number(at)) > toleranceS)
    throw new WebhookRefused('the time of the webhook is too far from now')
  const signatures = given.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []))
  const text = new TextEncoder().encode(`${id}.${at}.${body}`)
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret)
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, text))) return JSON.parse(body)
  }
  throw new WebhookRefused('no signature of the webhook is right')
}

const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new TypeError('a secret is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

const isHeaders = (headers: HeadersLike | Record<string, Value>): headers is HeadersLike =>
  typeof headers.get === 'function'

/** Headers of another implementation of fetch are no instance of ours, and some gateways hand on names with capitals. */
function headerOf(headers: HeadersLike | Record<string, Value>, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const value = headers[name] ?? Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : value
}
