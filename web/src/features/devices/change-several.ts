import { isCallError } from '../../lib/call-error.ts'

export interface Outcome {
  changed: string[]
  failed: { id: string; error: unknown }[]
  /** The session ended on the way; what had not been sent then never was. */
  loggedOut: boolean
}

/** Quick enough for a hundred devices, and no burst for the server. */
const maxConcurrent = 4

/** Changes each of these, a few at a time and each once; a refusal of one does not keep the others from theirs. */
export async function changeSeveral(
  ids: readonly string[],
  change: (id: string) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<Outcome> {
  const outcome: Outcome = { changed: [], failed: [], loggedOut: false }
  const waiting = [...ids]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !outcome.loggedOut; id = waiting.shift()) {
      try {
        await change(id)
        outcome.changed.push(id)
      } catch (error) {
        outcome.failed.push({ id, error })
        if (isCallError(error) && (error.status === 401 || error.status === 403)) outcome.loggedOut = true
      }
      onDone(outcome.changed.length + outcome.failed.length)
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return outcome
}
