import type { api } from '@isotherm/contract/api.ts'
import type { QueryClient } from '@tanstack/react-query'

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
  void client.invalidateQueries({
    predicate: ({ queryKey: [path, params] }) =>
      due.has(JSON.stringify([path])) || due.has(JSON.stringify([path, params])),
  })
}
