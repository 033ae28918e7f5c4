import type { api } from '@isotherm/contract/api.ts'
import type { Query, QueryClient } from '@tanstack/react-query'

type Rows = { [F in keyof typeof api]: (typeof api)[F][keyof (typeof api)[F]] }[keyof typeof api]
/** A path of the contract, as a type only: telling that an answer is out of date does not load the shapes of its feature. */
export type CallPath = Extract<Rows, { path: string }>['path']

/** A fleet of thousands pushes faster than a screen needs: answers are fetched again at most this often. */
const refetchMs = 3_000

/** Keys as JSON, so that the same one counts once. */
let stale = new Set<string>()
let waiting: ReturnType<typeof setTimeout> | undefined

/** Marks the answers of these paths as out of date, soon; with `params` only those asked for with just these. */
export function refetchSoon(client: QueryClient, paths: readonly CallPath[], params?: Record<string, string>): void {
  for (const path of paths) stale.add(JSON.stringify(params ? [path, params] : [path]))
  if (stale.size > 0 && !waiting) waiting = setTimeout(() => flush(client), refetchMs)
}

function flush(client: QueryClient) {
  const due = stale
  stale = new Set()
  waiting = undefined
  refetchKeys(client, due)
}

/** Marks the answers of these paths as out of date at once. */
export function refetchNow(client: QueryClient, paths: readonly CallPath[], params?: Record<string, string>): void {
  refetchKeys(client, new Set(paths.map((path) => JSON.stringify(params ? [path, params] : [path]))))
}

/**
 * A question that is under way may be answered from before, and is asked again, but after its answer: begun anew with each push, it would
 * never get one on a slow line.
 */
function refetchKeys(client: QueryClient, due: ReadonlySet<string>) {
  const isDue = ({ queryKey: [path, params] }: Query) =>
    due.has(JSON.stringify([path])) || due.has(JSON.stringify([path, params]))
  const busy = client.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isDue })
  void client.invalidateQueries({ fetchStatus: 'idle', predicate: isDue })
  for (const { queryKey } of busy) stale.add(JSON.stringify(queryKey.slice(0, 2)))
  if (busy.length > 0) waiting ??= setTimeout(() => flush(client), refetchMs)
}
