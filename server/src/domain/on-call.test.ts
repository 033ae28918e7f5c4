import { describe, expect, test } from 'vitest'
import { candidatesAt, type Rota, shiftsFrom } from './on-call.ts'

// 16 November 2026 is a Monday.
const rotaOf = (given: Partial<Rota> = {}): Rota => ({
  ...{ people: ['ann', 'ben', 'cid'], weekday: 1, time: '08:00', startsOn: '2026-11-16', zone: 'UTC', overrides: [] },
  ...given,
})
const ms = (at: string) => Date.parse(at)
const onCall = (rota: Rota, at: string) => candidatesAt(rota, ms(at))[0]
const override = (userId: string, insteadOf: string, from: string, to: string) => ({
  ...{ userId, insteadOf, from: ms(from), to: ms(to) },
})
const told = (rota: Rota, from: string, turns: number) =>
  shiftsFrom(rota, ms(from), turns).map(({ from: begin, to, userId, insteadOf }) =>
    [new Date(begin).toISOString().slice(0, 16), new Date(to).toISOString().slice(0, 16), userId, insteadOf]
      .filter(Boolean)
      .join(' '),
  )

describe('turns', () => {
  test('last a week, from one hand-over to the next, and come round', () => {
    const rota = rotaOf()
    expect(onCall(rota, '2026-11-16T08:00:00Z')).toBe('ann')
    expect(onCall(rota, '2026-11-23T07:59:59.999Z')).toBe('ann')
    expect(onCall(rota, '2026-11-23T08:00:00Z')).toBe('ben')
    expect(onCall(rota, '2026-12-07T08:00:00Z')).toBe('ann')
    expect(onCall(rota, '2027-11-15T08:00:00Z')).toBe('ben')
  })
  test('the first one is shorter where the start is between two hand-overs', () => {
    const rota = rotaOf({ startsOn: '2026-11-19' })
    expect(told(rota, '2026-11-20T00:00:00Z', 2)).toEqual([
      '2026-11-19T08:00 2026-11-23T08:00 ann',
      '2026-11-23T08:00 2026-11-30T08:00 ben',
    ])
  })
  test('before the start it is the first one’s', () => {
    expect(onCall(rotaOf({ startsOn: '2027-01-04' }), '2026-11-20T00:00:00Z')).toBe('ann')
  })
  test('of Sundays begin on a Sunday', () => {
    const rota = rotaOf({ weekday: 7, startsOn: '2026-11-16' })
    expect(onCall(rota, '2026-11-22T07:59:00Z')).toBe('ann')
    expect(onCall(rota, '2026-11-22T08:00:00Z')).toBe('ben')
  })
  test('a rota without people has nobody', () => {
    expect(candidatesAt(rotaOf({ people: [] }), ms('2026-11-20T00:00:00Z'))).toEqual([])
    expect(shiftsFrom(rotaOf({ people: [] }), ms('2026-11-20T00:00:00Z'), 4)).toEqual([])
  })
})

describe('where clocks change', () => {
  test('the hand-over stays at the same time of the day, so that a turn lasts an hour more or less', () => {
    // Berlin: summer time ends on 25 October 2026 and begins on 28 March 2027.
    const autumn = rotaOf({ zone: 'Europe/Berlin', startsOn: '2026-10-19' })
    expect(told(autumn, '2026-10-20T00:00:00Z', 2)).toEqual([
      '2026-10-19T06:00 2026-10-26T07:00 ann',
      '2026-10-26T07:00 2026-11-02T07:00 ben',
    ])
    const spring = rotaOf({ zone: 'Europe/Berlin', startsOn: '2027-03-22' })
    expect(told(spring, '2027-03-23T00:00:00Z', 1)).toEqual(['2027-03-22T07:00 2027-03-29T06:00 ann'])
  })
  test('a hand-over at a time that clocks leave out comes as long after the change as it would have been', () => {
    const rota = rotaOf({ zone: 'Europe/Berlin', weekday: 7, time: '02:30', startsOn: '2027-03-21' })
    expect(onCall(rota, '2027-03-28T01:29:59Z')).toBe('ann')
    expect(onCall(rota, '2027-03-28T01:30:00Z')).toBe('ben')
  })
  test('a hand-over at a time that clocks show twice is at the first', () => {
    const rota = rotaOf({ zone: 'Europe/Berlin', weekday: 7, time: '02:30', startsOn: '2026-10-18' })
    expect(onCall(rota, '2026-10-25T00:29:59Z')).toBe('ann')
    expect(onCall(rota, '2026-10-25T00:30:00Z')).toBe('ben')
    expect(onCall(rota, '2026-10-25T01:29:59Z')).toBe('ben')
  })
  test.each(['Africa/Lagos', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Auckland'])(
    'in %s every instant of a year has one person, the one of its shift',
    (zone) => {
      const rota = rotaOf({ zone, time: '02:15', weekday: 7 })
      const shifts = shiftsFrom(rota, ms('2026-11-16T00:00:00Z'), 54)
      for (const [index, { from, to, userId }] of shifts.entries()) {
        if (index > 0) expect(from).toBe(shifts[index - 1]?.to)
        expect([candidatesAt(rota, from)[0], candidatesAt(rota, to - 1)[0]]).toEqual([userId, userId])
      }
    },
  )
})

describe('overrides', () => {
  test('give the turn of one to another for a time, within the turn', () => {
    const rota = rotaOf({ overrides: [override('cid', 'ann', '2026-11-18T00:00:00Z', '2026-11-19T12:00:00Z')] })
    expect(told(rota, '2026-11-17T00:00:00Z', 2)).toEqual([
      '2026-11-16T08:00 2026-11-18T00:00 ann',
      '2026-11-18T00:00 2026-11-19T12:00 cid ann',
      '2026-11-19T12:00 2026-11-23T08:00 ann',
      '2026-11-23T08:00 2026-11-30T08:00 ben',
    ])
  })
  test('touch no turn of another, and may name somebody of outside', () => {
    const rota = rotaOf({ overrides: [override('dan', 'ben', '2026-11-16T00:00:00Z', '2026-11-25T00:00:00Z')] })
    expect(onCall(rota, '2026-11-20T00:00:00Z')).toBe('ann')
    expect(onCall(rota, '2026-11-24T00:00:00Z')).toBe('dan')
    expect(onCall(rota, '2026-11-25T00:00:00Z')).toBe('ben')
  })
  test('the later one wins, and who stands in can be stood in for; two who swap do not go round for ever', () => {
    const both = ['2026-11-16T00:00:00Z', '2026-11-30T00:00:00Z'] as const
    const later = rotaOf({ overrides: [override('ben', 'ann', ...both), override('cid', 'ann', ...both)] })
    expect(onCall(later, '2026-11-17T00:00:00Z')).toBe('cid')
    const chain = rotaOf({ overrides: [override('ben', 'ann', ...both), override('dan', 'ben', ...both)] })
    expect(onCall(chain, '2026-11-17T00:00:00Z')).toBe('dan')
    const swap = rotaOf({ overrides: [override('ben', 'ann', ...both), override('ann', 'ben', ...both)] })
    expect(onCall(swap, '2026-11-17T00:00:00Z')).toBe('ann')
  })
})

test('who cannot be told is followed by the next in turn; who is stood in for comes last', () => {
  expect(candidatesAt(rotaOf(), ms('2026-11-24T00:00:00Z'))).toEqual(['ben', 'cid', 'ann'])
  const overrides = [override('dan', 'ben', '2026-11-16T00:00:00Z', '2026-11-30T00:00:00Z')]
  expect(candidatesAt(rotaOf({ overrides }), ms('2026-11-24T00:00:00Z'))).toEqual(['dan', 'cid', 'ann', 'ben'])
})
