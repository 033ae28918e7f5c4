/**
 * An answer that needs work outside of the call's transaction, such as a question to another service: done once the transaction has
 * committed, and before the answer. It may refuse the call by an AppError; what the transaction did stays.
 */
export class AfterCommit<T> {
  readonly answer: () => Promise<T>
  constructor(answer: () => Promise<T>) {
    this.answer = answer
  }
}
