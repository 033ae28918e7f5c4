import { describe, expect, test } from 'vitest'
import { degreeMinutes, type Excursion, judge } from './excursion.ts'
import type { Rule } from './measures.ts'

const minute = 60_000
const rule: Rule = { min: 200, max: 800, holdMs: 30 * minute }

/** Judges [minute, centi] pairs; the excursions that ended, and the open one. */
function run(values: [at: number, value: number, rule?: Rule][]) {
  let open: Excursion | null = null
  const ended: Excursion[] = []
  const started: number[] = []
  for (const [at, value, own] of values) {
    const step = judge(open, { at: at * minute, value }, own ?? rule)
    open = step.open
    for (const { kind, excursion } of step.events)
      kind === 'ended' ? ended.push(excursion) : started.push(excursion.startAt / minute)
  }
  return { open, ended, started }
}

describe('an excursion', () => {
  test('starts at the first reading outside and ends at the first one back inside', () => {
    const { open, ended, started } = run([
      [0, 500],
      [10, 900],
      [20, 1000],
      [30, 800],
    ])
    expect(open).toBeNull()
    expect(started).toEqual([10])
    expect(ended).toMatchObject([
      {
        side: 'above',
        startAt: 10 * minute,
        endAt: 30 * minute,
        endedBy: 'inside',
        readings: 2,
        peak: 1000,
        peakAt: 20 * minute,
      },
    ])
  })

  test('counts degree-minutes: 1 degree for 10 minutes, then 2 for 10', () => {
    const [excursion] = run([
      [10, 900],
      [20, 1000],
      [30, 500],
    ]).ended
    expect(excursion && degreeMinutes(excursion)).toBe(30)
  })

  test('counts degree-minutes below the lower limit, too: 1 degree for 10 minutes, then 2 for 10', () => {
    const { open, ended } = run([
      [10, 100],
      [20, 0],
      [30, 500],
      [40, 50],
    ])
    expect(ended.map(degreeMinutes)).toEqual([30])
    expect(open).toMatchObject({ side: 'below', lastDeviation: 150 })
  })

  test('has its peak at the first of several readings that are equally far outside', () => {
    const peakAt = (value: number) =>
      run([
        [0, value],
        [10, value],
      ]).open?.peakAt
    expect([peakAt(900), peakAt(100)]).toEqual([0, 0])
  })

  test('a reading on the limit is inside', () => {
    expect(
      run([
        [0, 800],
        [10, 200],
      ]).started,
    ).toEqual([])
    expect(
      run([
        [0, 801],
        [10, 199],
      ]).started,
    ).toEqual([0, 10])
  })

  test('below the lower limit its peak is the coldest', () => {
    expect(
      run([
        [0, 100],
        [10, -50],
        [20, 60],
      ]).open,
    ).toMatchObject({ side: 'below', peak: -50, peakAt: 10 * minute, readings: 3 })
  })

  test('goes over to the other side as two', () => {
    expect(
      run([
        [0, 900],
        [10, 100],
        [20, 500],
      ]).ended,
    ).toMatchObject([
      { side: 'above', endAt: 10 * minute, endedBy: 'side' },
      { side: 'below', startAt: 10 * minute, endAt: 20 * minute, endedBy: 'inside' },
    ])
  })

  test('a silence of exactly 3 intervals does not split it, a millisecond more does', () => {
    expect(
      run([
        [0, 900],
        [30, 900],
        [40, 500],
      ]).ended,
    ).toHaveLength(1)
    const { ended } = run([
      [0, 900],
      [30 + 1 / minute, 900],
      [40, 500],
    ])
    expect(ended).toMatchObject([
      { startAt: 0, endAt: 30 * minute, endedBy: 'gap', centiMs: 100 * 30 * minute },
      { startAt: 30 * minute + 1, endAt: 40 * minute, endedBy: 'inside' },
    ])
  })

  test('silence and then a reading inside ends it 3 intervals after the last one outside', () => {
    const { open, ended, started } = run([
      [0, 900],
      [300, 500],
    ])
    expect(ended).toMatchObject([{ endAt: 30 * minute, endedBy: 'gap' }])
    expect([open, started]).toEqual([null, [0]])
  })

  test('while open it has no end, and its newest reading has not counted yet', () => {
    expect(
      run([
        [0, 900],
        [10, 900],
      ]).open,
    ).toMatchObject({ endAt: null, centiMs: 100 * 10 * minute })
  })

  test('is judged by the limits of each reading: wider ones end it', () => {
    const wide: Rule = { ...rule, max: 1200 }
    expect(
      run([
        [0, 900],
        [10, 900, wide],
        [20, 1300, wide],
      ]),
    ).toMatchObject({
      ended: [{ endAt: 10 * minute, endedBy: 'inside' }],
      open: { startAt: 20 * minute, lastDeviation: 100 },
    })
  })

  test('without limits nothing is outside', () => {
    const none: Rule = { min: null, max: null, holdMs: minute }
    expect(
      run([
        [0, 32_767, none],
        [10, -27_315, none],
      ]).started,
    ).toEqual([])
  })
})
