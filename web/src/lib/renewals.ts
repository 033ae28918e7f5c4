// Questions that were begun again while `renewalsOf` listens. A file of its own: the login's form has it, without what asks questions.
let renewals: Promise<unknown>[] | null = null

/** Tells whoever listens of a question that was begun again. */
export function noteRenewal<T>(renewed: Promise<T>): Promise<T> {
  renewals?.push(renewed)
  return renewed
}

/** Acts, and resolves once the answers that the act began to ask again are there, and what it gave back is settled. */
export async function renewalsOf(act: () => unknown): Promise<void> {
  const begun: Promise<unknown>[] = []
  renewals = begun
  try {
    begun.push(Promise.resolve(act()))
  } finally {
    renewals = null
  }
  await Promise.all(begun)
}
