import { exhaustedAt, joined, lengthMs, type Stretch, without } from './budget.ts'
import type { ProbeHour } from './cold-hours.ts'
import type { Protocol, ProtocolRow } from './cold-protocols.ts'
import { hourMs } from './rollup.ts'

/** A device in fruit: its hours as measured, and its reading in ice slurry, which is taken off. Hundredths of a degree; ms. */
export interface Probe {
  id: number
  offsetC: number
  /** When it joined a shipment under way; null: it was there from the start. */
  joinedAt: number | null
  hours: readonly ProbeHour[]
}

/** A corrected reading of a probe: the hour that it is the warmest or the coldest of. */
export interface Peak {
  probeId: number
  celsius: number
  hour: number
}

/** Time of a run that is not proven. `open`: it goes on. */
export interface Unproven extends Stretch {
  reason: 'gap' | 'step' | 'warm'
  probeId: number
  isOpen: boolean
}

/** The clock of one row of a protocol. */
export interface RowClock {
  row: ProtocolRow
  /** Null: it does not run. */
  startedAt: number | null
  /** The instant at which all its time was proven; it stays. */
  provenAt: number | null
  requiredMs: number
  provenMs: number
  elapsedMs: number
  /** Up to when every probe has told how warm it was. */
  knownUntil: number
  warmest: Peak | null
  unproven: Unproven[]
  /** Hours that made it begin again. */
  interruptions: Peak[]
}

export interface ColdClock {
  state: 'waiting' | 'running' | 'interrupted' | 'proven'
  /** The clock that is fulfilled first, as things stand. */
  chosen: RowClock
  rows: RowClock[]
  /** The hours that interrupted the loosest row: those that set the treatment back to its beginning. */
  interruptions: Peak[]
  /** The probe that keeps an unstarted treatment waiting; null where it is a probe that has told nothing, or none does. */
  waitsFor: Peak | null
  /** Probes without a reading in the last whole hour that is told of. */
  silent: number[]
  /** Probes that are placed are too few by so many. */
  missingProbes: number
  /** Hours in which a probe was colder than the fruit may be. */
  tooColdHours: number
  coldest: Peak | null
  /** Probes whose first hour tells of fruit that was not cooled before. */
  notPrecooled: number[]
  /** Probes that are so far off that they are to be replaced. */
  toReplace: number[]
  /** An hour after the end that was warmer than any row: refrigeration goes on until the release. */
  warmAfter: Peak | null
}

export interface ClockTime {
  /** Now, or the end of the shipment. */
  until: number
  /** Where an official has said that fruit without readings stayed cold. */
  verified: readonly Stretch[]
}

interface Hour {
  hour: number
  /** By probe, corrected; undefined: without a reading; null: it joins later. */
  values: (number | undefined | null)[]
  /** The warmest of the probes that tell of the hour. */
  warmest: Peak
  isWhole: boolean
}

/** Readings may be so many minutes apart by the minute hand: a record shows no seconds. */
const isGap = (from: number, to: number, { maxGapMin }: Protocol) => Math.floor((to - from) / 60_000) > maxGapMin

/**
 * The clock of a cold treatment: a function of what was measured alone, whenever it was delivered. An hour's value is the warmest reading of
 * it, since the fruit saw it. Each row of the protocol has a clock that starts at the end of an hour in which all probes were at its
 * temperature, and begins again after a warmer hour; the treatment is proven by the first that has all its time.
 */
export function coldTreatmentClock(protocol: Protocol, placed: readonly Probe[], time: ClockTime): ColdClock {
  const probes = judgedProbes(protocol.probes, placed)
  const hours = hoursOf(probes, time.until)
  const gaps = probes.flatMap((probe) => gapsOf(probe, protocol, time.until))
  const enough = probes.length >= protocol.probes
  const rows = protocol.rows.map((row) =>
    clockOfRow({ protocol, row, probes, gaps, time }, enough && probes.length > 0 ? hours : []),
  )
  const [chosen] = rows.toSorted(byPromise)
  const loosest = rows.at(-1)
  if (!chosen || !loosest) throw new Error(`protocol ${protocol.id} has no rows`)
  const { interruptions } = loosest
  const last = hours.findLast(({ isWhole }) => isWhole)
  const startC = startOf(protocol, loosest.row)
  const peaks = hours.flatMap((one) => coldestOf(one, probes))
  const tooCold = peaks.filter(({ celsius }) => protocol.minC !== null && celsius < protocol.minC)
  return {
    state: stateOf(chosen, interruptions),
    ...{ chosen, rows, interruptions },
    waitsFor: chosen.startedAt === null && last && last.warmest.celsius > startC ? last.warmest : null,
    silent: probes
      .filter((probe, index) => (last ? last.values[index] === undefined : probe.hours.length === 0))
      .map(({ id }) => id),
    missingProbes: Math.max(0, protocol.probes - probes.length),
    tooColdHours: tooCold.length,
    coldest: peaks.reduce<Peak | null>((least, one) => (least && least.celsius <= one.celsius ? least : one), null),
    notPrecooled: notPrecooled(protocol, probes),
    toReplace: probes
      .filter(({ offsetC }) => protocol.maxOffsetC !== null && Math.abs(offsetC) > protocol.maxOffsetC)
      .map(({ id }) => id),
    warmAfter:
      hours.find(
        ({ hour, warmest }) =>
          chosen.provenAt !== null && hour >= chosen.provenAt && warmest.celsius > loosest.row.maxC,
      )?.warmest ?? null,
  }
}

/**
 * The probes with the hours that they are judged by. As many as the protocol needs are judged from the start, whenever they were named; a further one
 * that joined under way from then on: what it measured elsewhere before says nothing of the fruit.
 */
export function judgedProbes(needed: number, probes: readonly Probe[]): Probe[] {
  const first = probes.toSorted((a, b) => (a.joinedAt ?? 0) - (b.joinedAt ?? 0)).slice(0, needed)
  return probes.map((probe) => {
    const { joinedAt, hours } = probe
    if (joinedAt === null || first.includes(probe)) return { ...probe, joinedAt: null }
    return { ...probe, hours: hours.filter(({ firstAt }) => firstAt >= joinedAt) }
  })
}

function stateOf({ provenAt, startedAt }: RowClock, interruptions: readonly Peak[]): ColdClock['state'] {
  if (provenAt !== null) return 'proven'
  if (startedAt !== null) return 'running'
  return interruptions.length > 0 ? 'interrupted' : 'waiting'
}

/** The clock that was proven first, else the running one with the least left; of equals the strictest. */
function byPromise(a: RowClock, b: RowClock): number {
  if (a.provenAt !== null || b.provenAt !== null)
    return (a.provenAt ?? Number.MAX_SAFE_INTEGER) - (b.provenAt ?? Number.MAX_SAFE_INTEGER)
  return promise(a) - promise(b)
}
const promise = (clock: RowClock) => (clock.startedAt === null ? Number.MAX_SAFE_INTEGER : leftOf(clock))

export const leftOf = ({ requiredMs, provenMs }: RowClock): number => Math.max(0, requiredMs - provenMs)

/** When the clock will have all its time, if every hour to come is proven; null where it does not run. */
export function forecastOf(clock: RowClock, until: number): number | null {
  if (clock.provenAt !== null) return clock.provenAt
  if (clock.startedAt === null) return null
  return (clock.unproven.some(({ isOpen }) => isOpen) ? until : clock.knownUntil) + leftOf(clock)
}

export interface Break {
  /** Warmer than this. */
  aboveC: number
  /** The treatment would end so much later. */
  delayMs: number
  /** It would begin again. */
  restarts: boolean
}

/** By how much one warm hour now would put off the end, for each temperature from the chosen row's on. */
export function breaksOf({ state, chosen, rows }: ColdClock): Break[] {
  if (state !== 'running') return []
  const again = Math.min(...rows.map(({ row }) => requiredOf(row))) + hourMs
  return rows
    .filter(({ row }) => row.maxC >= chosen.row.maxC)
    .map(({ row }) => {
      const going = rows.filter((one) => one.startedAt !== null && one.row.maxC > row.maxC).map(leftOf)
      const left = Math.min(again, ...going)
      return { aboveC: row.maxC, delayMs: Math.max(0, left - leftOf(chosen)), restarts: left === again }
    })
}

const requiredOf = ({ days }: ProtocolRow) => days * 24 * hourMs
const startOf = ({ startC }: Protocol, { maxC }: ProtocolRow) => Math.min(startC ?? maxC, maxC)

/** The readings of all probes, hour by hour; hours without any reading are left out. */
function hoursOf(probes: readonly Probe[], until: number): Hour[] {
  const byHour = new Map<number, (number | undefined | null)[]>()
  const none = (hour: number) => probes.map(({ joinedAt }) => (joinedAt !== null && joinedAt > hour ? null : undefined))
  for (const [index, { hours, offsetC }] of probes.entries())
    for (const { hour, warmest } of hours) {
      if (hour >= until) continue
      const values = byHour.get(hour) ?? none(hour)
      values[index] = warmest - offsetC
      byHour.set(hour, values)
    }
  return [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, values]) => ({
      ...{ hour, values, isWhole: hour + hourMs <= until },
      warmest: warmestOf(hour, values, probes),
    }))
}

function warmestOf(hour: number, values: Hour['values'], probes: readonly Probe[]): Peak {
  const peak = { probeId: 0, celsius: Number.NEGATIVE_INFINITY, hour }
  for (const [index, celsius] of values.entries())
    if (typeof celsius === 'number' && celsius > peak.celsius)
      Object.assign(peak, { probeId: probes[index]?.id, celsius })
  return peak
}

function coldestOf({ hour }: Hour, probes: readonly Probe[]): Peak[] {
  const found = probes.flatMap((probe) => {
    const own = hourOf(probe, hour)
    return own ? [{ probeId: probe.id, celsius: own.coldest - probe.offsetC, hour }] : []
  })
  return found.length === 0 ? [] : [found.reduce((least, one) => (one.celsius < least.celsius ? one : least))]
}

/** By bisection: the hours of a probe ascend. */
function hourOf({ hours }: Probe, hour: number): ProbeHour | undefined {
  let [low, high] = [0, hours.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const one = hours[middle]
    if (!one || one.hour === hour) return one
    if (one.hour < hour) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** Time between two readings of a probe that are too far apart, from its joining to its first one, and since its last one. */
function gapsOf({ id, joinedAt, hours }: Probe, protocol: Protocol, until: number): Unproven[] {
  const gaps: Unproven[] = []
  const [first] = hours
  const firstAt = first?.firstAt ?? until
  if (joinedAt !== null && isGap(joinedAt, firstAt, protocol))
    gaps.push({ reason: 'gap', probeId: id, from: joinedAt, to: firstAt, isOpen: !first })
  for (const [index, { lastAt }] of hours.entries()) {
    const next = hours[index + 1]
    const to = next?.firstAt ?? until
    if (isGap(lastAt, to, protocol)) gaps.push({ reason: 'gap', probeId: id, from: lastAt, to, isOpen: !next })
  }
  return gaps
}

function notPrecooled({ precoolC, rejectAboveC }: Protocol, probes: readonly Probe[]): number[] {
  if (precoolC === null || rejectAboveC === null) return []
  return probes
    .filter(
      ({ joinedAt, hours: [first], offsetC }) =>
        joinedAt === null && first && first.warmest - offsetC >= precoolC + rejectAboveC,
    )
    .map(({ id }) => id)
}

interface RowTask {
  protocol: Protocol
  row: ProtocolRow
  probes: readonly Probe[]
  gaps: readonly Unproven[]
  time: ClockTime
}

/** The time from a start to an interruption, or up to now. */
interface Run {
  startedAt: number
  end: number
  warmest: Peak
  unproven: Unproven[]
  warmHours: number[]
}

function clockOfRow(task: RowTask, hours: readonly Hour[]): RowClock {
  const { runs, interruptions } = runsOf(task, hours)
  const { row, time } = task
  for (const run of runs) {
    const clock = settle(task, run)
    if (clock.provenAt !== null) return { ...clock, interruptions: before(interruptions, clock.provenAt) }
    if (run.end === time.until) return { ...clock, interruptions }
  }
  return {
    ...{ row, startedAt: null, provenAt: null, requiredMs: requiredOf(row), provenMs: 0, elapsedMs: 0 },
    ...{ knownUntil: time.until, warmest: null, unproven: [], interruptions },
  }
}

const before = (peaks: readonly Peak[], at: number) => peaks.filter(({ hour }) => hour < at)

function runsOf(task: RowTask, hours: readonly Hour[]): { runs: Run[]; interruptions: Peak[] } {
  const { protocol, row, time } = task
  const runs: Run[] = []
  const interruptions: Peak[] = []
  const startC = startOf(protocol, row)
  let run: Run | null = null
  let former: Hour | undefined
  for (const one of hours) {
    const { hour, warmest, values, isWhole } = one
    if (!run) {
      const isCold = warmest.celsius <= startC && !values.includes(undefined)
      // The hour of the start itself does not count: it ends before anything is proven.
      if (isWhole && isCold)
        run = {
          ...{ startedAt: hour + hourMs, end: time.until },
          ...{ warmest, unproven: [], warmHours: [] },
        }
    } else if (warmest.celsius > row.maxC && warmest.celsius > (protocol.hold?.voidC ?? row.maxC)) {
      run.end = Math.max(run.startedAt, hour)
      runs.push(run)
      interruptions.push(warmest)
      run = null
    } else {
      if (warmest.celsius > run.warmest.celsius) run.warmest = warmest
      noteHeld(run, task, former, one)
    }
    former = one
  }
  if (run) runs.push(run)
  return { runs, interruptions }
}

/** Where warm hours hold a treatment: the hour itself does not count, nor does one that differs too much from the one before. */
function noteHeld(
  run: Run,
  { protocol, row, probes }: RowTask,
  former: Hour | undefined,
  { hour, values, warmest }: Hour,
) {
  const span = { from: hour, to: hour + hourMs, isOpen: false }
  if (warmest.celsius > row.maxC) {
    run.unproven.push({ ...span, reason: 'warm', probeId: warmest.probeId })
    run.warmHours.push(hour)
  }
  if (protocol.maxStepC === null || former?.hour !== hour - hourMs) return
  for (const [index, celsius] of values.entries()) {
    const last = former.values[index]
    if (typeof celsius !== 'number' || typeof last !== 'number' || Math.max(celsius, last) <= row.maxC) continue
    if (Math.abs(celsius - last) > protocol.maxStepC)
      run.unproven.push({ ...span, reason: 'step', probeId: probes[index]?.id ?? 0 })
  }
}

/** The proven time of a run. */
function settle({ protocol, row, probes, gaps, time }: RowTask, run: Run): RowClock {
  const lastAts = probes.map(({ hours, joinedAt }) => hours.at(-1)?.lastAt ?? Math.max(run.startedAt, joinedAt ?? 0))
  const isOpen = run.end === time.until
  const knownUntil = Math.max(run.startedAt, isOpen ? Math.min(run.end, ...lastAts) : run.end)
  const within = { from: run.startedAt, to: isOpen ? time.until : run.end }
  const unproven = [
    ...gaps.flatMap((gap) => without([gap], time.verified).map((span) => ({ ...gap, ...span }))),
    ...run.unproven,
  ].flatMap((one) => {
    const [from, to] = [Math.max(one.from, within.from), Math.min(one.to, within.to)]
    return from < to ? [{ ...one, from, to }] : []
  })
  // A verified stretch after the last reading is proven by an official's word.
  const known = knownTo(knownUntil, within.to, time.verified)
  const proven = without([{ from: run.startedAt, to: known }], unproven)
  let requiredMs = requiredOf(row)
  let provenAt = exhaustedAt(proven, requiredMs)
  if (protocol.hold)
    for (;;) {
      const more = requiredOf(row) + extraOf(run, protocol.hold.extraHours, provenAt ?? within.to)
      if (more === requiredMs) break
      requiredMs = more
      provenAt = exhaustedAt(proven, requiredMs)
    }
  return {
    ...{ row, startedAt: run.startedAt, provenAt, requiredMs, knownUntil: known, warmest: run.warmest },
    provenMs: Math.min(requiredMs, lengthMs(proven)),
    elapsedMs: (provenAt ?? within.to) - run.startedAt,
    unproven: unproven
      .filter(({ from }) => provenAt === null || from < provenAt)
      .sort((a, b) => a.from - b.from || a.probeId - b.probeId),
    interruptions: [],
  }
}

function knownTo(known: number, end: number, verified: readonly Stretch[]): number {
  const span = joined(verified).find(({ from, to }) => from <= known && known < to)
  return span ? Math.min(end, span.to) : known
}

/** Each day of the run, counted from its start, that has a warm hour. */
function extraOf({ startedAt, warmHours }: Run, extraHours: number, until: number): number {
  const days = new Set(
    warmHours.filter((hour) => hour < until).map((hour) => Math.floor((hour - startedAt) / (24 * hourMs))),
  )
  return days.size * extraHours * hourMs
}
