import type { GoodFigures, HostileFigures, Measured } from './told.ts'

/** The bounds: the ratio of the p99 of calls beside and alone, and how long an alarm may take, ms. */
export const allowed = { ratio: 3, alarmMs: 2_000, medianOfEach: 5 } as const

const isReading = (kind: string) => kind.startsWith('reading')

function line({ times, failures }: Measured) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  const failed = Object.entries(failures).map(([status, count]) => `${count} x ${status}`)
  return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(1), failed: failed.join(', ') }
}

function together(measured: Measured[]): Measured {
  const failures: Record<string, number> = {}
  for (const one of measured)
    for (const [status, count] of Object.entries(one.failures)) failures[status] = (failures[status] ?? 0) + count
  return { times: measured.flatMap(({ times }) => times), dueS: measured.flatMap(({ dueS }) => dueS), failures }
}

const callsOf = ({ calls }: GoodFigures) =>
  together(Object.entries(calls).flatMap(([kind, measured]) => (isReading(kind) ? [] : [measured])))

/** The figures of all calls of people together. */
export const summarise = (figures: GoodFigures) => line(callsOf(figures))

/** When the slowest fiftieth of the calls was due: how many in each five seconds of the phase in which there were any. */
export function slowestByTime(figures: GoodFigures): string {
  const { times, dueS } = callsOf(figures)
  const slowest = times
    .map((ms, n) => ({ ms, from: 5 * Math.floor((dueS[n] ?? 0) / 5) }))
    .toSorted((a, b) => b.ms - a.ms)
  const counted = Map.groupBy(slowest.slice(0, Math.ceil(times.length / 50)), ({ from }) => from)
  return [...counted]
    .toSorted(([a], [b]) => a - b)
    .map(([from, calls]) => `${from} s: ${calls.length}`)
    .join(', ')
}

/** A row per kind of call, and one for all calls of people. */
export const tableOfCalls = (figures: GoodFigures) => ({
  ...Object.fromEntries(Object.entries(figures.calls).map(([kind, measured]) => [kind, line(measured)])),
  'all calls': summarise(figures),
})

export function alarmsOf({ alarms }: GoodFigures) {
  const seen = alarms.filter((ms) => ms !== null).toSorted((a, b) => a - b)
  return {
    alarms: alarms.length,
    'alarm p50 ms': Math.round(seen[seen.length >> 1] ?? 0),
    'alarm max ms': Math.round(seen.at(-1) ?? 0),
    'alarms unseen': alarms.length - seen.length,
  }
}

/** A row per attack; one that is refused every time says so. */
export const tableOfAttacks = ({ attacks }: HostileFigures, seconds: number) =>
  Object.fromEntries(
    Object.entries(attacks).map(([name, { connections, sent, accepted, refused }]) => [
      name,
      {
        connections,
        'per s': Number((sent / seconds).toFixed(1)),
        accepted,
        refused: sent - accepted,
        how: sent > 0 && accepted === 0 ? `ALL: ${reasons(refused)}` : reasons(refused),
      },
    ]),
  )

const reasons = (refused: Record<string, number>) =>
  Object.entries(refused)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ')

/** The bounds that did not hold in a phase, in words. */
export function faultsOf(phase: string, figures: GoodFigures): string[] {
  const { 'alarm max ms': slowest, 'alarms unseen': unseen, alarms } = alarmsOf(figures)
  return [
    ...Object.entries(figures.calls).flatMap(([kind, measured]) => {
      const { failed } = line(measured)
      return failed ? [`${phase}: ${kind} failed: ${failed}`] : []
    }),
    alarms === 0 ? `${phase}: no alarm was seen` : '',
    slowest > allowed.alarmMs ? `${phase}: an alarm took ${slowest} ms (allowed ${allowed.alarmMs})` : '',
    unseen > 0 ? `${phase}: ${unseen} alarms never reached the stream` : '',
  ].filter(Boolean)
}
