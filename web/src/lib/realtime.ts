import type { LiveEvent, LiveEventName } from '@isotherm/contract/live.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Frame } from './event-frames.ts'
import { keepStream, type LiveStatus } from './live-stream.ts'
import { refreshProfile } from './profile.ts'
import { queryClient, streamStartedAt, streamStopped } from './query.ts'
import { getSession, logOut, subscribeSession } from './session.ts'
import { isInSandbox } from './tab-storage.ts'

/** The state for the shell: how the connection is, and when it last gave a sign of life. */
export interface LiveState {
  status: 'off' | LiveStatus
  lastSignAt: number
}
type DataOf<K extends LiveEventName> = Extract<LiveEvent, { event: K }>['data']
/** How a push of each kind changes the cache; nothing else writes pushes into it. */
export type PushAppliers = { [K in LiveEventName]?: ((client: QueryClient, data: DataOf<K>) => void)[] }
type Wire = { kind: 'frame'; frame: Frame } | { kind: 'state'; state: LiveState } | { kind: 'hello' }

let appliers: PushAppliers = {}
const listeners = new Set<() => void>()
let state: LiveState = { status: 'off', lastSignAt: 0 }
let lastId: string | null = null
/** True once this tab has followed a stream: from then on a gap means missed events. */
let followed = false

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

function become(next: LiveState) {
  if (state.status === next.status && next.lastSignAt - state.lastSignAt < 1_000) return
  state = next
  for (const listener of [...listeners]) listener()
}

/** First what the person may do, then everything on the screen: the other way round a call could be refused. */
async function refetchAll() {
  await refreshProfile()
  await queryClient.invalidateQueries()
}

/** The pushes about the stream itself. */
const ofTheStream: PushAppliers = {
  hello: [
    (_, { at, resumed }) => {
      // A change of permissions between two streams is in neither.
      if (followed) void (resumed ? refreshProfile() : refetchAll())
      else void streamStartedAt(Date.parse(at))
      followed = true
    },
  ],
  resync: [() => void refetchAll()],
  closed: [
    (_, { reason }) => {
      if (reason === 'session') logOut({ isOver: true })
      else if (reason === 'permissions') void refetchAll()
    },
  ],
}

function apply(frame: Frame) {
  if (frame.id) lastId = frame.id
  const found = { ...appliers, ...ofTheStream }[frame.event as LiveEventName]
  if (!found) return
  let data: unknown
  try {
    data = JSON.parse(frame.data)
  } catch {
    return
  }
  for (const each of found) each(queryClient, data as never)
}

// Tabs of two companies must not hear each other's pushes.
const streamName = isInSandbox ? 'isotherm-live-sandbox' : 'isotherm-live'

/** One stream for all tabs of a browser: the tab that holds the lock reads it and passes every frame on. */
function run(token: string): () => void {
  const ending = new AbortController()
  // Web Locks exist only in secure contexts: on plain http every tab keeps a stream of its own.
  const locks: LockManager | undefined = navigator.locks
  const channel = locks ? new BroadcastChannel(streamName) : undefined
  const tell = (wire: Wire) => {
    if (!ending.signal.aborted) channel?.postMessage(wire)
  }
  let leads = false
  const change = (next: LiveState) => {
    if (ending.signal.aborted) return
    become(next)
    tell({ kind: 'state', state: next })
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Wire>) => {
    if (data.kind === 'hello') {
      if (leads) tell({ kind: 'state', state })
    } else if (leads) return
    else if (data.kind === 'frame') apply(data.frame)
    else {
      become(data.state)
      // The channel was open before anything was asked.
      if (data.state.status === 'live' && !followed) void streamStartedAt(1)
      if (data.state.status === 'live') followed = true
    }
  })
  const lead = () => {
    leads = true
    return keepStream(
      {
        token: () => token,
        lastId: () => lastId,
        onFrame: (frame) => {
          apply(frame)
          tell({ kind: 'frame', frame })
        },
        onSign: () => change({ status: 'live', lastSignAt: Date.now() }),
        onStatus: (status) => change({ status, lastSignAt: status === 'live' ? Date.now() : state.lastSignAt }),
        onUnauthenticated: () => logOut({ isOver: true }),
      },
      ending.signal,
    )
  }
  if (locks) {
    tell({ kind: 'hello' })
    locks.request(streamName, { signal: ending.signal }, lead).catch(() => undefined)
  } else void lead()
  return () => {
    ending.abort()
    channel?.close()
  }
}

let started = false
let running: string | null = null
let stop: (() => void) | undefined

function follow() {
  const { token } = getSession()
  if (token === running) return
  stop?.()
  stop = undefined
  running = token
  lastId = null
  followed = false
  streamStopped()
  become({ status: token ? 'connecting' : 'off', lastSignAt: 0 })
  if (token) stop = run(token)
}

/** Keeps the stream open for as long as somebody is logged in, and applies its pushes; to be called once the shell stands. */
export function startRealtime(applyBy: PushAppliers) {
  appliers = applyBy
  follow()
  if (started) return
  started = true
  subscribeSession(follow)
}
