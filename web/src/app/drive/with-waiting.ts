import type { DrivenStop, DriverPage } from '@isotherm/contract/order-links.ts'
import type { Waiting } from './store.ts'

function changed(stop: DrivenStop, waiting: Waiting): DrivenStop {
  const { at } = waiting
  if (waiting.what === 'handOver') {
    if (waiting.stop !== stop.stop) return stop
    const state = waiting.filled.facts.outcome
    return { ...stop, state, settledAt: at, arrivedAt: stop.arrivedAt ?? at, doorQr: null }
  }
  if (waiting.act.stop !== stop.stop) return stop
  if (waiting.act.kind === 'arrive') return { ...stop, state: 'arrived', arrivedAt: at }
  return waiting.act.kind === 'depart' ? { ...stop, departedAt: at } : stop
}

/** The page as it will be once everything that waits has been sent. */
export function withWaiting(page: DriverPage, list: readonly Waiting[]): DriverPage {
  let now = page
  for (const waiting of list.filter(({ code }) => code === page.trackingCode)) {
    const stops = now.stops.map((stop) => changed(stop, waiting))
    const kind = waiting.what === 'act' ? waiting.act.kind : null
    now = {
      ...now,
      stops,
      ...(kind === 'start' && now.state === 'new' ? { state: 'inProgress' as const, startedAt: waiting.at } : {}),
      ...(kind === 'end' ? { state: 'completed' as const } : {}),
    }
  }
  return now
}

export type Next =
  | { what: 'start' | 'end' | 'nothing'; stop: null }
  | { what: 'arrive' | 'handOver' | 'depart'; stop: DrivenStop }

const isOpen = ({ settledAt, postponedUntil }: DrivenStop) => settledAt === null && postponedUntil === null

/** The one thing that is to be done next. */
export function nextOf({ state, stops }: DriverPage): Next {
  if (state === 'new') return { what: 'start', stop: null }
  if (state !== 'inProgress') return { what: 'nothing', stop: null }
  const left = stops.filter(isOpen)
  const here = stops.findLast(({ arrivedAt, departedAt, settledAt }) => arrivedAt && settledAt && !departedAt)
  const [next] = left
  if (here && next) return { what: 'depart', stop: here }
  if (!next)
    return stops.every(({ settledAt }) => settledAt) ? { what: 'end', stop: null } : { what: 'nothing', stop: null }
  return { what: next.state === 'arrived' ? 'handOver' : 'arrive', stop: next }
}
