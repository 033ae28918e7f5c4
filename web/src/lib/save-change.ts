import type { CallOptions } from './call.ts'
import { isCallError } from './call-error.ts'
import { toastError } from './toast.ts'

interface SavedChange<T extends { version: number }, B extends object, R> {
  /** The thing as the form was filled from it. */
  seen: T
  /** The fields that the form changes. */
  change: Partial<B>
  /** The fields of a form that is filled from the thing and left alone. */
  bodyOf: (thing: T) => B
  send: (body: Partial<B> & { version: number }, options: CallOptions) => Promise<R>
  load: () => Promise<T>
  /** Hears the thing as it is now where the change is refused: a form shows it then, or would be refused for ever. */
  onRefused: (now: T) => void
}

/**
 * Saves what a form changes of a thing. Where somebody changed the thing meanwhile, but none of the same fields, both changes are kept; else
 * nothing is saved, and the server's CHANGED_MEANWHILE is thrown.
 */
export async function saveChange<T extends { version: number }, B extends object, R>({
  seen,
  change,
  bodyOf,
  send,
  load,
  onRefused,
}: SavedChange<T, B, R>): Promise<R> {
  try {
    return await send({ ...change, version: seen.version }, { toldByCaller: 'CHANGED_MEANWHILE' })
  } catch (error) {
    if (!isCallError(error) || error.code !== 'CHANGED_MEANWHILE') throw error
    const now = await load()
    const [before, after] = [bodyOf(seen), bodyOf(now)]
    const isSame = (field: keyof B) => JSON.stringify(before[field]) === JSON.stringify(after[field])
    if ((Object.keys(change) as (keyof B)[]).every(isSame)) return send({ ...change, version: now.version }, {})
    toastError(error.message)
    onRefused(now)
    throw error
  }
}

/** The fields that differ: one that was left alone must not undo what somebody else saved meanwhile. */
export const differing = <B extends object>(before: Partial<Record<keyof B, unknown>>, after: B): Partial<B> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(before[field as keyof B]) !== JSON.stringify(value),
    ),
  ) as Partial<B>
