import { z } from 'zod'
import { isCallError } from './call-error.ts'

/** A page over plain http has no `randomUUID`. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** For so long the same body is the same try; the server takes the same order of a person for the same payment as long. */
const sameMs = 30 * 60_000

const Attempt = z.object({ of: z.string(), key: z.string(), at: z.number() })
type Attempt = z.infer<typeof Attempt>

/** Those of this page, where the storage is full or not allowed. */
const ofThisPage = new Map<string, Attempt>()

function stored(name: string): Attempt | undefined {
  try {
    return Attempt.safeParse(JSON.parse(sessionStorage.getItem(name) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** The key of the try of this tab that nobody knows the end of, also after the page was loaded anew. */
function begun(name: string, of: string): string | undefined {
  const attempt = stored(name) ?? ofThisPage.get(name)
  return attempt?.of === of && Date.now() - attempt.at < sameMs ? attempt.key : undefined
}

function keep(name: string, attempt: Attempt | null): void {
  ofThisPage.delete(name)
  try {
    if (attempt) sessionStorage.setItem(name, JSON.stringify(attempt))
    else sessionStorage.removeItem(name)
  } catch {
    if (attempt) ofThisPage.set(name, attempt)
  }
}

/**
 * Runs a call that must be done once: another try of the same body has the same key until it is known how the first one ended, also where the
 * page was loaded anew meanwhile. A refusal is an end; no answer, or an answer of a server that failed, is none. `what` tells calls apart whose
 * bodies may be alike. A person who logs out takes it along.
 */
export function onceBy(what: string) {
  const name = `once:${what}`
  return async <T>(body: object, run: (key: string) => Promise<T>): Promise<T> => {
    const of = JSON.stringify(body)
    const key = begun(name, of) ?? newKey()
    keep(name, { of, key, at: Date.now() })
    try {
      const answer = await run(key)
      keep(name, null)
      return answer
    } catch (error) {
      if (isCallError(error) && error.status >= 400 && error.status < 500) keep(name, null)
      throw error
    }
  }
}
