/** Works through what is due, some at once. One that fails is told of, and keeps no other from its turn. */
export async function eachApart<T>(
  due: readonly T[],
  { concurrency = 1, failed }: { concurrency?: number; failed: (one: T, err: unknown) => void },
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < due.length; from += concurrency)
    await Promise.all(
      due.slice(from, from + concurrency).map(async (one) => {
        try {
          await work(one)
        } catch (err) {
          failed(one, err)
        }
      }),
    )
}
