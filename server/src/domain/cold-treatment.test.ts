import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinHours, type ProbeReading } from './cold-hours.ts'
import { asCarried, coldProtocols, type Protocol, protocolOf } from './cold-protocols.ts'
import { breaksOf, type ClockTime, coldTreatmentClock, forecastOf, leftOf, type Probe } from './cold-treatment.ts'
import { hourMs } from './rollup.ts'

const minute = 60_000
const day = 24 * hourMs
const need = (id: string): Protocol => {
  const protocol = protocolOf(id)
  if (!protocol) throw new Error(`no protocol ${id}`)
  return protocol
}
const medfly = need('us-t107-a-18')

/** A reading every ten minutes from one hour to another, of so many hundredths of a degree; `at`: what an hour has instead. */
function readings(from: number, to: number, celsius: number, at: Record<number, number> = {}): ProbeReading[] {
  const all: ProbeReading[] = []
  for (let ms = from * hourMs; ms < to * hourMs; ms += 10 * minute)
    all.push({ at: ms, celsius: at[Math.floor(ms / hourMs)] ?? celsius })
  return all
}
const probe = (id: number, own: readonly ProbeReading[], offsetC = 0): Probe => ({
  ...{ id, offsetC, joinedAt: null, hours: joinHours([], own) },
})
const three = (own: readonly ProbeReading[]): Probe[] => [1, 2, 3].map((id) => probe(id, own))
const clockAt = (protocol: Protocol, probes: readonly Probe[], hours: number, verified: ClockTime['verified'] = []) =>
  coldTreatmentClock(protocol, probes, { until: hours * hourMs, verified })
const total = ({ chosen }: ReturnType<typeof clockAt>) => (chosen.provenAt ?? Number.NaN) - (chosen.startedAt ?? 0)

describe('the vectors of the research', () => {
  test('three probes at 1.0 °C for 336 hours after the hour of the start: complete at 14 days and no hour', () => {
    const clock = clockAt(medfly, three(readings(0, 338, 100)), 338)
    expect(clock.state).toBe('proven')
    expect(clock.chosen.startedAt).toBe(hourMs)
    expect(total(clock)).toBe(14 * day)
  })

  test('one reading less than 336 hours is not enough', () => {
    const clock = clockAt(medfly, three(readings(0, 336, 100)), 336)
    expect(clock.state).toBe('running')
    expect(leftOf(clock.chosen)).toBe(hourMs + 10 * minute)
  })

  test('an hour at 1.11 °C exactly is still 14 days, at 1.12 °C it is 16', () => {
    const still = clockAt(medfly, three(readings(0, 400, 100, { 200: 111 })), 400)
    expect([total(still), still.chosen.row.maxC]).toEqual([14 * day, 111])
    const longer = clockAt(medfly, three(readings(0, 400, 100, { 200: 112 })), 400)
    expect([total(longer), longer.chosen.row.maxC]).toEqual([16 * day, 167])
  })

  test('a gap of 61 minutes is not proven, one of 60 is', () => {
    const gapOf = (minutes: number) => {
      const until = 100 * hourMs + 10 * minute
      const own = readings(0, 130, 100).filter(({ at }) => at <= until || at >= until + minutes * minute)
      return [...own, { at: until + minutes * minute, celsius: 100 }]
    }
    const cold = readings(0, 130, 100)
    const with61 = clockAt(medfly, [probe(1, gapOf(61)), probe(2, cold), probe(3, cold)], 130)
    expect(with61.chosen.unproven).toMatchObject([{ reason: 'gap', probeId: 1, isOpen: false }])
    expect(with61.chosen.elapsedMs - with61.chosen.provenMs).toBe(61 * minute + 10 * minute)
    expect(clockAt(medfly, [probe(1, gapOf(60)), probe(2, cold), probe(3, cold)], 130).chosen.unproven).toEqual([])
  })

  test('a third probe that is cold 5 hours later starts the treatment', () => {
    const [cold, late] = [readings(0, 20, 100), [...readings(0, 5, 300), ...readings(5, 20, 100)]]
    const clock = clockAt(medfly, [probe(1, cold), probe(2, cold), probe(3, late)], 20)
    expect(clock.chosen.startedAt).toBe(6 * hourMs)
    expect(clock.interruptions).toEqual([])
  })

  test('late data that fills a gap proves its time', () => {
    const all = readings(0, 338, 100)
    const [before, missing, after] = [all.slice(0, 600), all.slice(600, 800), all.slice(800)]
    const cold = probe(1, all)
    const early = joinHours(joinHours([], before), after)
    const gapped = clockAt(medfly, [cold, probe(2, all), { id: 3, offsetC: 0, joinedAt: null, hours: early }], 338)
    expect(gapped.state).toBe('running')
    const healed = { id: 3, offsetC: 0, joinedAt: null, hours: joinHours(early, missing) }
    expect(clockAt(medfly, [cold, probe(2, all), healed], 338)).toEqual(clockAt(medfly, three(all), 338))
  })
})

describe('7 CFR 305.6', () => {
  const cold = readings(0, 60, 100)

  test('(d)(8) two probes are too few', () => {
    const clock = clockAt(medfly, three(cold).slice(1), 60)
    expect([clock.state, clock.missingProbes]).toEqual(['waiting', 1])
  })

  test('(d)(8) in the hold of a vessel three are too few, and four are not', () => {
    const inHold = asCarried(medfly, { isInHold: true })
    const three3 = clockAt(inHold, three(cold), 60)
    expect([three3.state, three3.missingProbes]).toEqual(['waiting', 1])
    expect(clockAt(inHold, [...three(cold), probe(4, cold)], 60).state).toBe('running')
    expect(asCarried(medfly, { isInHold: false })).toBe(medfly)
  })

  test('(d)(10) it starts when all probes have reached the temperature', () => {
    const warm = clockAt(medfly, [...three(cold), probe(4, readings(0, 60, 300))], 60)
    expect(warm).toMatchObject({ state: 'waiting', waitsFor: { probeId: 4, celsius: 300 } })
    const mute = clockAt(medfly, [...three(cold), probe(4, [])], 60)
    expect(mute).toMatchObject({ state: 'waiting', waitsFor: null, silent: [4] })
    // In the first hour a probe that has told anything is not silent.
    const half = cold.filter(({ at }) => at < 30 * minute)
    expect(clockAt(medfly, [...three(half), probe(4, [])], 0.5).silent).toEqual([4])
  })

  test('(d)(10) warmth after the end is told, and takes nothing back', () => {
    const clock = clockAt(medfly, three(readings(0, 400, 100, { 380: 500 })), 400)
    expect(clock).toMatchObject({ state: 'proven', warmAfter: { celsius: 500, hour: 380 * hourMs } })
    expect(total(clock)).toBe(14 * day)
  })

  test('(d)(11) a gap counts once an official has verified all of it, and a part of it as far as they did', () => {
    const gapped = cold.filter(({ at }) => at < 20 * hourMs || at >= 30 * hourMs)
    const probes = [probe(1, gapped), probe(2, cold), probe(3, cold)]
    const proven = (verified: ClockTime['verified']) => clockAt(medfly, probes, 60, verified).chosen.provenMs
    const [gap] = clockAt(medfly, probes, 60).chosen.unproven
    if (!gap) throw new Error('no gap')
    const all = clockAt(medfly, three(cold), 60).chosen.provenMs
    expect(proven([])).toBe(all - (10 * hourMs + 10 * minute))
    expect(proven([gap])).toBe(all)
    expect(proven([{ from: gap.from, to: gap.from + 4 * hourMs }])).toBe(proven([]) + 4 * hourMs)
  })

  test('(d)(11) a probe that stopped telling is an open gap, and nothing is proven since', () => {
    const probes = [probe(1, readings(0, 20, 100)), probe(2, cold), probe(3, cold)]
    const { chosen } = clockAt(medfly, probes, 60)
    expect(chosen.unproven).toMatchObject([{ probeId: 1, isOpen: true, to: 60 * hourMs }])
    expect(chosen.provenMs).toBe(19 * hourMs - 10 * minute)
    expect(chosen.elapsedMs).toBe(59 * hourMs)
    const word = { from: 19 * hourMs, to: 40 * hourMs }
    expect(clockAt(medfly, probes, 60, [word]).chosen.provenMs).toBe(39 * hourMs)
  })

  test('(c)(2), (d)(9) a step of more than 0.39 °C counts where both hours stayed at or below, and not otherwise', () => {
    const held = need('us-fcm')
    const within = clockAt(held, three(readings(0, 60, -60, { 30: -150 })), 60)
    expect(within.chosen.unproven).toEqual([])
    const steep = clockAt(held, three(readings(0, 60, -60, { 30: -20 })), 60)
    expect(steep.chosen.unproven.map(({ reason, from }) => [reason, from / hourMs])).toContainEqual(['step', 31])
    const gentle = clockAt(held, three(readings(0, 60, -60, { 30: -40 })), 60)
    expect(gentle.chosen.unproven.map(({ reason }) => reason)).toEqual(['warm'])
  })

  test('an extension of 8 hours for each day with a warm hour, and a new beginning where it is too warm', () => {
    const held = need('us-fcm')
    const extended = clockAt(held, three(readings(0, 600, -60, { 30: -40, 31: -40, 80: -40 })), 600)
    expect(extended.chosen.requiredMs).toBe(22 * day + 16 * hourMs)
    expect(total(extended)).toBe(22 * day + 16 * hourMs + 3 * hourMs)
    const again = clockAt(held, three(readings(0, 600, -60, { 30: 112 })), 600)
    expect(again.chosen.startedAt).toBe(32 * hourMs)
  })

  test('(d)(4) fruit that comes 0.28 °C too warm was not cooled before', () => {
    const own = (celsius: number) => [...readings(0, 5, celsius), ...readings(5, 60, 100)]
    for (const [id, limit] of [
      ['us-t107-a', 195],
      ['us-t107-a-18', 250],
    ] as const) {
      const probes = [probe(1, own(limit)), probe(2, own(limit - 1)), probe(3, cold)]
      expect([id, clockAt(need(id), probes, 60).notPrecooled]).toEqual([id, [1]])
    }
  })

  test('an hour is as warm as its warmest reading', () => {
    const one = readings(0, 60, 100).map((own, index) => (index === 100 ? { ...own, celsius: 250 } : own))
    const clock = clockAt(medfly, [probe(1, one), probe(2, cold), probe(3, cold)], 60)
    expect(clock.interruptions).toEqual([{ probeId: 1, celsius: 250, hour: 16 * hourMs }])
    expect(clock.chosen.startedAt).toBe(18 * hourMs)
  })
})

describe('rules of single protocols', () => {
  test('Australia: a probe beyond 0.3 °C is to be replaced; what it reads is corrected', () => {
    const protocol = need('au-il-medfly')
    const clock = clockAt(protocol, [...three(readings(0, 9, 100)).slice(1), probe(7, readings(0, 9, 131), 31)], 9)
    expect([clock.toReplace, clock.chosen.row.maxC, clock.chosen.warmest?.celsius]).toEqual([[7], 111, 100])
  })

  test('Europe: colder than −1 °C is a risk to the fruit, and no failure', () => {
    const clock = clockAt(need('eu-fcm-a'), three(readings(0, 400, -50, { 40: -101 })), 400)
    expect(clock).toMatchObject({ state: 'proven', tooColdHours: 1, coldest: { celsius: -101 } })
    expect(total(clock)).toBe(16 * day)
  })

  test('Japan: 0 °C is not below 0 °C; a proposed start is colder than the treatment', () => {
    expect(clockAt(need('jp-za-citrus'), three(readings(0, 9, 0)), 9).state).toBe('waiting')
    expect(clockAt(need('jp-za-citrus'), three(readings(0, 9, -1)), 9).state).toBe('running')
    const proposed = need('jp-za-proposed')
    expect(clockAt(proposed, three(readings(0, 9, 101)), 9).state).toBe('waiting')
    expect(clockAt(proposed, three(readings(0, 9, 139, { 2: 100 })), 9).chosen.startedAt).toBe(3 * hourMs)
  })

  test('China: warmer than the only row begins it again', () => {
    const clock = clockAt(need('cn-za-citrus'), three(readings(0, 100, -60, { 50: -59, 99: -30 })), 100)
    expect([clock.state, clock.interruptions.length]).toEqual(['interrupted', 2])
  })

  test('a warm hour near the beginning begins the strict row again where that is sooner', () => {
    const clock = clockAt(medfly, three(readings(0, 400, 100, { 4: 130 })), 400)
    expect([clock.chosen.row.days, clock.chosen.startedAt]).toEqual([14, 6 * hourMs])
  })

  test('a further probe that joins under way is judged from then on', () => {
    const joining = (own: readonly ProbeReading[]) => ({ ...probe(4, own), joinedAt: 20.5 * hourMs })
    const shelf = readings(0, 20, 2200)
    const alone = clockAt(medfly, three(readings(0, 60, 100)), 60).chosen
    for (const before of [[], shelf]) {
      const { chosen, silent } = clockAt(
        medfly,
        [...three(readings(0, 60, 100)), joining([...before, ...readings(21, 60, 100)])],
        60,
      )
      expect([chosen.startedAt, chosen.provenMs, silent]).toEqual([alone.startedAt, alone.provenMs, []])
    }
    const late = clockAt(medfly, [...three(readings(0, 60, 100)), joining(readings(22, 60, 100))], 60).chosen
    expect(late.unproven).toMatchObject([{ probeId: 4, reason: 'gap', from: 20.5 * hourMs, to: 22 * hourMs }])
    const mute = clockAt(medfly, [...three(readings(0, 60, 100)), joining([])], 60).chosen
    expect(mute.provenMs).toBe(19.5 * hourMs)
    const warm = clockAt(medfly, [...three(readings(0, 60, 100)), joining(readings(21, 60, 500))], 60)
    expect(warm.state).toBe('interrupted')
  })

  test('a probe that the schedule needs is judged from the start, whenever it was named', () => {
    const third = { ...probe(3, readings(30, 60, 100)), joinedAt: 20 * hourMs }
    const clock = clockAt(medfly, [...three(readings(0, 60, 100)).slice(0, 2), third], 60)
    expect(clock.chosen.startedAt).toBe(31 * hourMs)
  })

  test('(d)(4) fruit is cooled before to no more than the loosest row of its schedule', () => {
    for (const { id, precoolC, rows } of coldProtocols)
      if (precoolC !== null) expect([id, precoolC]).toEqual([id, rows.at(-1)?.maxC])
  })

  test('every schedule has a source, a day of its check and rows from strict to loose', () => {
    for (const { source, checkedOn, rows, maxGapMin, probes } of coldProtocols) {
      expect(source.length).toBeGreaterThan(10)
      expect(checkedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      // Readings within an hour of the clock are never too far apart.
      expect(maxGapMin).toBeGreaterThanOrEqual(60)
      expect(probes).toBeGreaterThanOrEqual(3)
      expect(rows).toEqual(rows.toSorted((a, b) => a.maxC - b.maxC || a.days - b.days))
    }
    expect(new Set(coldProtocols.map(({ id }) => id)).size).toBe(coldProtocols.length)
    const unread = [
      ...['us-t107-a-18', 'eu-fcm-a', 'eu-fcm-b', 'cn-za-citrus', 'cn-za-lemon'],
      ...['jp-za-clementine', 'jp-za-citrus', 'jp-za-proposed', 'us-fcm'],
    ]
    expect(coldProtocols.filter(({ verified }) => !verified).map(({ id }) => id)).toEqual(unread)
  })
})

describe('the forecast', () => {
  test('is the time left from the last reading on', () => {
    const clock = clockAt(medfly, three(readings(0, 241, 100)), 241)
    expect(forecastOf(clock.chosen, 241 * hourMs)).toBe(hourMs + 14 * day)
  })

  test('says what a warm hour costs: two days above the strict row, the whole treatment above the loosest', () => {
    const clock = clockAt(medfly, three(readings(0, 241, 100)), 241)
    const left = leftOf(clock.chosen)
    expect(breaksOf(clock)).toEqual([
      { aboveC: 111, delayMs: 2 * day, restarts: false },
      { aboveC: 167, delayMs: 4 * day, restarts: false },
      { aboveC: 222, delayMs: 14 * day + hourMs - left, restarts: true },
    ])
    expect(breaksOf(clockAt(medfly, three(readings(0, 340, 100)), 340))).toEqual([])
  })
})

const stories = fc.array(
  fc.record({ at: fc.integer({ min: 0, max: 500 * 60 }), celsius: fc.integer({ min: 60, max: 260 }) }),
  {
    ...{ minLength: 1, maxLength: 60 },
  },
)
/** Cold for so long, with strange readings and gaps, of one of three probes each. */
const journeys = fc.record({
  hours: fc.integer({ min: 10, max: 480 }),
  strange: fc.tuple(stories, stories, stories),
  gaps: fc.array(fc.tuple(fc.nat(2), fc.nat(480), fc.nat(12)), { maxLength: 6 }),
})
type Journey = typeof journeys extends fc.Arbitrary<infer T> ? T : never
const told = ({ hours, strange, gaps }: Journey): ProbeReading[][] =>
  strange.map((own, index) => {
    const own10 = new Map(readings(0, hours, 100).map((one) => [one.at, one.celsius]))
    for (const { at, celsius } of own) if (at < hours * 60) own10.set(at * minute, celsius)
    return [...own10]
      .map(([at, celsius]) => ({ at, celsius }))
      .filter(
        ({ at }) =>
          !gaps.some(([who, from, len]) => who === index && at >= from * hourMs && at < (from + len) * hourMs),
      )
  })
const clockOf = (all: readonly (readonly ProbeReading[])[], hours: number) =>
  clockAt(
    medfly,
    all.map((own, id) => probe(id, own)),
    hours,
  )
/** The earliest instant at which it can be done. */
const doneAt = (clock: ReturnType<typeof clockAt>, until: number) =>
  clock.chosen.provenAt ?? until + (clock.chosen.startedAt === null ? 14 * day : leftOf(clock.chosen))

describe('any journey', () => {
  test('has the same clock in whatever order and in whatever batches its readings are delivered', () => {
    fc.assert(
      fc.property(journeys, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (journey, seeds) => {
        const all = told(journey)
        const delivered = all.map((own, id) => {
          const size = (seeds[id % seeds.length] ?? 0) % 97
          // A shuffle that the seeds decide; every reading twice.
          const shuffled = [...own, ...own].sort((a, b) => order(a.at, seeds) - order(b.at, seeds) || a.at - b.at)
          let hours = joinHours([], [])
          for (let first = 0; first < shuffled.length; first += size + 1)
            hours = joinHours(hours, shuffled.slice(first, first + size + 1))
          return { id, offsetC: 0, joinedAt: null, hours }
        })
        expect(clockAt(medfly, delivered, journey.hours)).toEqual(clockOf(all, journey.hours))
      }),
      { numRuns: 60 },
    )
  })

  test('is never worse for a colder reading', () => {
    fc.assert(
      fc.property(journeys, fc.nat(2), fc.nat(), fc.integer({ min: 1, max: 200 }), (journey, who, which, by) => {
        const all = told(journey)
        const colder = all.map((own, probeIndex) =>
          probeIndex !== who
            ? own
            : own.map((one, index) => (index === which % own.length ? { ...one, celsius: one.celsius - by } : one)),
        )
        const until = journey.hours * hourMs
        expect(doneAt(clockOf(colder, journey.hours), until)).toBeLessThanOrEqual(
          doneAt(clockOf(all, journey.hours), until),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('is healed by late data: with its gaps filled by cold readings it is done no later', () => {
    fc.assert(
      fc.property(journeys, (journey) => {
        const until = journey.hours * hourMs
        const cool = told(journey).map((own) => own.map((one) => ({ ...one, celsius: Math.min(one.celsius, 111) })))
        const whole = told({ ...journey, gaps: [] }).map((own) =>
          own.map((one) => ({ ...one, celsius: Math.min(one.celsius, 111) })),
        )
        expect(doneAt(clockOf(whole, journey.hours), until)).toBeLessThanOrEqual(
          doneAt(clockOf(cool, journey.hours), until),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('has proven no more than has elapsed, and its parts add up', () => {
    fc.assert(
      fc.property(journeys, (journey) => {
        for (const { provenMs, elapsedMs, requiredMs, startedAt } of clockOf(told(journey), journey.hours).rows) {
          expect(provenMs).toBeLessThanOrEqual(elapsedMs)
          expect(provenMs).toBeLessThanOrEqual(requiredMs)
          if (startedAt === null) expect(elapsedMs).toBe(0)
        }
      }),
      { numRuns: 200 },
    )
  })
})
const order = (at: number, seeds: readonly number[]) =>
  Math.imul(at / minute + 1, (seeds[0] ?? 0) | 1) ^ (seeds.at(-1) ?? 0)

test('24 days of twelve probes at ten minutes are worked out in less than 100 ms of processor time', () => {
  const hours = 24 * 24
  const probes = Array.from({ length: 12 }, (_, id) => probe(id, readings(0, hours, 100, { [40 * id]: 120 })))
  const times = Array.from({ length: 5 }, () => {
    const begun = process.threadCpuUsage()
    clockAt(medfly, probes, hours)
    const { user, system } = process.threadCpuUsage(begun)
    return (user + system) / 1000
  })
  expect(Math.min(...times)).toBeLessThan(100)
})
