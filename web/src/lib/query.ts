import type { Call, Returned } from '@isotherm/contract/call.ts'
import { hashKey, keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callWith, deadLineMs, onOutdated, type Sending } from './call.ts'
import { type CallError, mayPass } from './call-error.ts'
import { can } from './can.ts'
import { forgetAnswers, isLastKnown, isRenewed, keepAnswer, lastKnown } from './last-known.ts'
import { noteRenewal } from './renewals.ts'
import { onLoggedOut, useSession } from './session.ts'

/** The only place where server state lives. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
      // Our own network, often a LAN without internet: what the browser calls offline may well answer.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
onLoggedOut(() => {
  queryClient.clear()
  forgetAnswers()
})
// A thing that is opened again is changed from what it is now.
onOutdated(() => void queryClient.invalidateQueries())

queryClient.getQueryCache().subscribe((event) => {
  const { query } = event
  const { queryHash, queryKey, state } = query
  if (event.type === 'removed') isRenewed(queryHash)
  if (event.type !== 'updated') return
  const { action } = event
  if (action.type === 'success') {
    if (!action.manual) isRenewed(queryHash)
    if (!isLastKnown(queryHash)) keepAnswer(queryKey[0], queryHash, state.data)
  } else if (action.type === 'error' && isLastKnown(queryHash) && !mayPass(action.error)) {
    // The person may not see it any more: nor what they knew of it.
    isRenewed(queryHash, { isRefused: true })
    query.setState({ ...state, data: undefined, status: 'error' })
  }
})

/**
 * The cache key of a call: everything that is sent, for two questions must never share an answer. `[row.path]` alone is the
 * beginning of the keys of all its answers.
 */
export const keyOf = <C extends Call>(row: C, sending?: Sending<C>) => {
  const { params, query, body } = (sending ?? {}) as { params?: object; query?: object; body?: unknown }
  return [row.path, params ?? {}, query ?? {}, row.method, body ?? null] as const
}

export interface UseCallOptions {
  /** False: not now. A call that `can()` refuses is never made, whatever this says. */
  enabled?: boolean
  /** Shows the answer to the question before while the new one loads; whoever shows it puts it into `Renewing` or `ListView`. */
  keepPrevious?: boolean
  staleTimeMs?: number
  refetchMs?: number
  /** Asked while somebody types: what is refused is shown, not toasted. */
  isQuiet?: boolean
}

// The live stream has what happens from an instant on; an answer that the server began before it may lack what came between.
// 0: there is no stream yet. Both in ms of the server's clock.
let heardFrom = 0
const begunBefore = new Map<string, number>()

/** The live stream has what happens from `at` on: what was answered before is asked for again, and what failed on a dead line. */
export function streamStartedAt(at: number): Promise<void> {
  const early = new Map(begunBefore)
  begunBefore.clear()
  heardFrom = at
  return queryClient.invalidateQueries({
    predicate: ({ queryHash, state }) => state.error !== null || (early.get(queryHash) ?? at + 1) <= at,
  })
}

/** Nobody listens any more. */
export function streamStopped() {
  heardFrom = 0
  begunBefore.clear()
}

/** Asks, and once more where the answer was begun before the stream that came meanwhile. */
export async function askCall<C extends Call>(
  row: C,
  sending: Sending<C> | undefined,
  signal: AbortSignal,
  isQuiet = false,
): Promise<Returned<C>> {
  let begunAt = 0
  const options = { signal, isQuiet, patienceMs: deadLineMs }
  const answer = await callWith(row, sending, { ...options, onBegun: (at) => (begunAt = at) })
  if (heardFrom > 0) return begunAt === 0 || begunAt > heardFrom ? answer : callWith(row, sending, options)
  begunBefore.set(hashKey(keyOf(row, sending)), begunAt)
  return answer
}

/** The answer of a row that only reads, cached: `useCall(users.list, { query: { page } })`. */
export function useCall<C extends Call>(
  row: C,
  sending?: Sending<C>,
  options: UseCallOptions = {},
): UseQueryResult<Returned<C>, CallError> {
  // Read here, so that a permission given while the screen is open lets the call go.
  useSession((state) => state.roleModulePermissions)
  const queryKey = keyOf(row, sending)
  const enabled = (options.enabled ?? true) && can(row.needs)
  return useQuery<Returned<C>, CallError>({
    queryKey,
    // The answer of a former visit, until the server answers: it is as old as can be, so the server is asked at once.
    initialData: () => (enabled ? (lastKnown(row.path, hashKey(queryKey)) as Returned<C>) : undefined),
    initialDataUpdatedAt: 0,
    queryFn: ({ signal }) => askCall(row, sending, signal, options.isQuiet),
    enabled,
    placeholderData: options.keepPrevious ? (keepPreviousData as never) : undefined,
    staleTime: options.staleTimeMs,
    refetchInterval: options.refetchMs,
  })
}

/** Asks before the screen that shows the answer is there; it then finds it. */
export const askAhead = <C extends Call>(row: C, sending: Sending<C>): Promise<void> =>
  queryClient.prefetchQuery({ queryKey: keyOf(row, sending), queryFn: ({ signal }) => askCall(row, sending, signal) })

/** Marks every cached answer of these rows as out of date: `await refetchCalls(users.list, users.roles)`. */
export const refetchCalls = (...rows: Call[]) =>
  noteRenewal(Promise.all(rows.map((row) => queryClient.invalidateQueries({ queryKey: [row.path] }))))
