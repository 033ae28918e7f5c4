import { dayMs, instantAt, wallAt, weekdayOf } from '@isotherm/contract/zone-times.ts'

/** For a time, one person stands in whenever it is another one's turn. Instants in ms, `to` not included. */
export interface Override {
  userId: string
  insteadOf: string
  from: number
  to: number
}

/** People who take turns, a week each. */
export interface Rota {
  /** Ids in the order of their turns. */
  people: readonly string[]
  /** The hand-over: 1 is Monday, and a time such as "08:00" by the clocks of the zone. */
  weekday: number
  time: string
  /** The day on which the first turn begins, such as "2026-11-20"; it ends with the first hand-over after that. */
  startsOn: string
  zone: string
  /** A later one wins over an earlier one. */
  overrides: readonly Override[]
}

/** A stretch with one person on call; `insteadOf`: the person whose turn it is, where somebody stands in. */
export interface Shift {
  from: number
  to: number
  userId: string
  insteadOf: string | null
}

const weekMs = 7 * dayMs

/** The wall time of the last hand-over up to the start. */
function firstWall({ weekday, time, startsOn }: Rota): number {
  const wall = Date.parse(`${startsOn}T${time}Z`)
  return wall - ((weekdayOf(wall) - weekday + 7) % 7) * dayMs
}

const turnBegin = (rota: Rota, turn: number): number => instantAt(firstWall(rota) + turn * weekMs, rota.zone)

/** The turn at an instant, counted from 0. Before the start it is the first: an alarm never finds nobody because of a date. */
function turnAt(rota: Rota, at: number): number {
  let turn = Math.floor((wallAt(at, rota.zone) - firstWall(rota)) / weekMs)
  // Wall times repeat, or are left out, where clocks are changed.
  while (turnBegin(rota, turn) > at) turn -= 1
  while (turnBegin(rota, turn + 1) <= at) turn += 1
  return Math.max(0, turn)
}

const personOf = ({ people }: Rota, turn: number): string | undefined => people[turn % people.length]

/** The person who stands in at an instant for the one whose turn it is, or that person; each override counts once. */
function standInFor({ overrides }: Rota, person: string, at: number): string {
  const left = overrides.filter(({ from, to }) => from <= at && at < to)
  let found = person
  for (;;) {
    const index = left.findLastIndex(({ insteadOf }) => insteadOf === found)
    const [override] = index < 0 ? [] : left.splice(index, 1)
    if (!override) return found
    found = override.userId
  }
}

/**
 * The person on call at an instant, then the others in the order in which their turns follow: the next one is asked where one
 * cannot be told. The person whose turn it is comes last where somebody stands in. Nobody where the rota has no people.
 */
export function candidatesAt(rota: Rota, at: number): string[] {
  const turn = turnAt(rota, at)
  const person = personOf(rota, turn)
  if (person === undefined) return []
  const following = rota.people.map((_, index) => personOf(rota, turn + 1 + index) ?? person)
  const standIn = standInFor(rota, person, at)
  return [...new Set([standIn, ...following.filter((each) => each !== person), person])]
}

/** The stretches from the one at `from` to the end of so many turns. */
export function shiftsFrom(rota: Rota, from: number, turns: number): Shift[] {
  const first = turnAt(rota, from)
  return Array.from({ length: turns }, (_, index) => shiftsOfTurn(rota, first + index))
    .flat()
    .filter(({ to }) => to > from)
}

function shiftsOfTurn(rota: Rota, turn: number): Shift[] {
  const person = personOf(rota, turn)
  if (person === undefined) return []
  const start = instantAt(Date.parse(`${rota.startsOn}T${rota.time}Z`), rota.zone)
  const [begin, end] = [turn === 0 ? start : turnBegin(rota, turn), turnBegin(rota, turn + 1)]
  const changes = rota.overrides.flatMap(({ from, to }) => [from, to]).filter((at) => begin < at && at < end)
  const cuts = [...new Set([begin, ...changes, end])].sort((a, b) => a - b)
  const shifts: Shift[] = []
  for (const [index, to] of cuts.slice(1).entries()) {
    const from = cuts[index] ?? begin
    const userId = standInFor(rota, person, from)
    const before = shifts.at(-1)
    if (before?.userId === userId) before.to = to
    else shifts.push({ from, to, userId, insteadOf: userId === person ? null : person })
  }
  return shifts
}
