import type { Tx } from '../db/transaction.ts'

/** Keeps the answer of a call with an Idempotency-Key in the transaction that does what was asked for; without a key it does nothing. */
export type KeepAnswer<T> = (tx: Tx, payload: T) => Promise<void>

/**
 * An answer that needs work outside of the call's transaction, such as a question to another service: done once the transaction has
 * committed, and before the answer. It may refuse the call by an AppError; what the transaction did stays. Work that does what was asked for in a
 * transaction of its own keeps its answer there: a server may be killed as soon as that has committed.
 */
export class AfterCommit<T> {
  readonly answer: (keep?: KeepAnswer<T>) => Promise<T>
  /** The answer, where the call's transaction did all that was asked for: it is kept there, too. */
  readonly known: { payload: T } | null
  constructor(answer: (keep: KeepAnswer<T>) => Promise<T>, known: { payload: T } | null = null) {
    this.answer = (keep = keepNothing) => answer(keep)
    this.known = known
  }
}

const keepNothing = async (): Promise<void> => {}
