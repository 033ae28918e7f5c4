import { boundedFetch } from '../../net/bounded-fetch.ts'

const timeoutMs = 10_000
const maxBytes = 65_536

/** A message to a phone, as an adapter gets it. */
export interface PhoneMessage {
  /** E.164. */
  to: string
  text: string
  locale: string
  /** Tells it from every other message. */
  key: string
}

/** The provider's result. A definite failure is not tried again; anything thrown is. */
export type Taken = { ok: true; provider: string; providerId: string | null } | { ok: false; reason: string }

export interface Answer {
  status: number
  /** An object, or empty where the answer was no JSON. */
  body: Record<string, unknown>
}

/** Posts to a provider's API. Bounded in time and size; a redirect is an error: it would carry our keys elsewhere. */
export async function ask(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const posted = { accept: 'application/json', 'user-agent': 'Isotherm', ...headers }
  const { status, text } = await boundedFetch(url, { method: 'POST', headers: posted, body }, { timeoutMs, maxBytes })
  return { status, body: parsed(text) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/**
 * Whether a refusal may pass by itself: the provider is busy or broken (408, 425, 429, 5xx), or our account is not in order
 * (401, 403, 402), which its owner can set right before the last try.
 */
export const mayPass = (status: number): boolean => status >= 500 || [401, 402, 403, 408, 425, 429].includes(status)

/** A form's body; what is undefined is left out. */
export function form(values: Record<string, string | undefined>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) fields.set(name, value)
  return fields.toString()
}
export const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

/** A message's key as a header value: the same for each try, so that whoever heeds it takes the message once. */
export const keyed = (key: string): { 'idempotency-key': string } => ({
  'idempotency-key': Buffer.from(key).toString('base64url').slice(0, 200),
})
