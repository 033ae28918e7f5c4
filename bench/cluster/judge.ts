import type { KillDevice } from '../kill/device.ts'
import type { verify } from '../kill/verify.ts'
import type { Watched } from './lane-watch.ts'
import type { Scenario } from './scenarios.ts'
import type { Scene } from './scene.ts'

/** One line of the table of what must hold and what was found. */
export interface Check {
  what: string
  expected: string
  found: number
  isMet: boolean
}

interface Seen {
  devices: readonly KillDevice[]
  watched: Watched
  shares: string
  /** Lanes that nobody holds at the end. */
  free: number
  found: Awaited<ReturnType<typeof verify>>
}

const atMost = (what: string, limit: number | undefined, found: number): Check[] =>
  limit === undefined ? [] : [{ what, expected: limit === 0 ? '0' : `at most ${limit}`, found, isMet: found <= limit }]
const atLeastOne = (what: string, found: number): Check => ({ what, expected: 'more than 0', found, isMet: found > 0 })

/** The figures of a scenario, what of it must hold, and its faults: those that its own part found, and checks that are not met. */
export function judge(scenario: Scenario, { notes, faults }: Scene, { devices, watched, shares, free, found }: Seen) {
  const byHttp = devices.slice(0, devices.length / 2)
  const refused = byHttp.reduce((sum, { trouble }) => sum + trouble.failures, 0)
  const longest = Math.round(Math.max(...devices.map(({ trouble }) => trouble.longestMs)))
  const { gaps, looks, holders } = watched
  const moves = [...holders.values()].reduce((sum, each) => sum + each.length - 1, 0)
  const gap = Math.round(gaps.at(-1) ?? 0)
  const verdict = {
    ...{ ...found, shares, refused, 'longest wait, ms': longest },
    ...(refused > 0 && { 'refused as': reasonsOf(byHttp) }),
    ...{ 'lane free at most, ms': gap, 'lanes moved': moves, ...notes },
    ...{ 'looks at writers': looks, 'written by two': watched.faults.length },
  }
  const losesByDesign = scenario.pair === 'asynchronous'
  const checks: Check[] = [
    atLeastOne('readings acknowledged', found.acknowledged),
    losesByDesign
      ? atLeastOne('acknowledged readings missing, as the comparison must see', found.missing)
      : atMost('acknowledged readings missing', 0, found.missing),
    atMost('acknowledged readings twice or with another value', 0, found.wrong),
    atMost('answered conflicts not noted', 0, found.conflictsLost),
    atMost('rollups and excursions other than recomputed', 0, found.differences),
    atMost('triggers other than recomputed', 0, found.triggerDifferences),
    atLeastOne('looks that could tell of two writers', looks),
    atMost('lanes written by two nodes, or without a lock', 0, watched.faults.length),
    atMost('lanes held by nobody at the end', 0, free),
    atMost('a lane held by nobody, ms', scenario.maxFreeMs, gap),
    atMost('a device without an acknowledgement, ms', scenario.maxWaitMs, longest),
    atMost('requests refused', scenario.refusesNone ? 0 : undefined, refused),
    atMost('faults of the scenario itself', 0, faults.length),
  ].flat()
  const unmet = checks.filter(({ isMet }) => !isMet).map((each) => `${each.what}: ${each.found}, not ${each.expected}`)
  return { verdict, checks, faults: [...unmet, ...watched.faults.slice(0, 5), ...faults] }
}

function reasonsOf(devices: readonly KillDevice[]): string {
  const all = devices.flatMap(({ trouble }) => trouble.refusals)
  return [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, each]) => `${reason}: ${each.length}`).join('; ')
}
