import { useRef } from 'react'
import { isCallError } from './call-error.ts'

/** A page over plain http has no `randomUUID`. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Runs a call that must be done once: another try of the same body has the same key until it is known how the first one ended. A refusal is
 * an end; no answer, or an answer of a server that failed, is none.
 */
export function useCallKey() {
  const attempt = useRef({ of: '', key: '' })
  return async <T>(body: object, run: (key: string) => Promise<T>): Promise<T> => {
    const of = JSON.stringify(body)
    if (attempt.current.of !== of) attempt.current = { of, key: newKey() }
    try {
      const answer = await run(attempt.current.key)
      attempt.current = { of: '', key: '' }
      return answer
    } catch (error) {
      if (isCallError(error) && error.status >= 400 && error.status < 500) attempt.current = { of: '', key: '' }
      throw error
    }
  }
}
