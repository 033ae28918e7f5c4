import { describe, expect, it } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const at = (instant: string) => Date.parse(instant)
const instants = (ticks: { at: number }[]) => ticks.map((tick) => new Date(tick.at).toISOString().slice(0, 16))

describe('timeTicks', () => {
  it('falls on round local hours, and marks local midnight', () => {
    const ticks = timeTicks(at('2026-11-20T20:10:00Z'), at('2026-11-21T04:00:00Z'), 'Asia/Kolkata', 5)
    expect(instants(ticks)).toEqual(['2026-11-20T20:30', '2026-11-20T22:30', '2026-11-21T00:30', '2026-11-21T02:30'])
    expect(timeTicks(at('2026-11-20T18:00:00Z'), at('2026-11-20T19:00:00Z'), 'Asia/Kolkata', 2)).toEqual([
      { at: at('2026-11-20T18:00:00Z'), isDay: false },
      { at: at('2026-11-20T18:30:00Z'), isDay: true },
      { at: at('2026-11-20T19:00:00Z'), isDay: false },
    ])
  })

  it('stays on local midnight through a change of clocks', () => {
    const ticks = timeTicks(at('2026-10-23T12:00:00Z'), at('2026-10-27T12:00:00Z'), 'Europe/Berlin', 6)
    expect(instants(ticks)).toEqual(['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00', '2026-10-26T23:00'])
  })

  it('counts anew at midnight on a day of 25 hours', () => {
    const ticks = timeTicks(at('2026-10-24T22:00:00Z'), at('2026-10-26T05:00:00Z'), 'Europe/Berlin', 6)
    expect(instants(ticks)).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T04:00',
      '2026-10-25T10:00',
      '2026-10-25T16:00',
      '2026-10-25T23:00',
      '2026-10-26T05:00',
    ])
  })

  it('turns to months for a year', () => {
    const ticks = timeTicks(at('2026-01-10T00:00:00Z'), at('2027-01-10T00:00:00Z'), 'UTC', 13)
    expect(instants(ticks)[0]).toBe('2026-02-01T00:00')
    expect(ticks).toHaveLength(12)
  })

  it('gives about as many as asked for, never many more', () => {
    for (const days of [0.01, 0.3, 1, 7, 30, 90, 365, 800]) {
      const from = at('2026-03-03T03:33:00Z')
      const ticks = timeTicks(from, from + days * 86_400_000, 'Africa/Lagos', 8)
      expect(ticks.length).toBeLessThanOrEqual(10)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
    }
  })
})
