import { dayMs, localTimeOf } from '@isotherm/contract/zone-times.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graceUntil, mayStillBeCharged, type Renewing, renewalSteps, stepDue, stepOf } from './renewal-schedule.ts'

const zones = ['Africa/Lagos', 'Europe/Paris', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']
const renewing: fc.Arbitrary<Renewing> = fc.record({
  cadence: fc.constantFrom('monthly' as const, 'annually' as const),
  zone: fc.constantFrom(...zones),
  periodEnd: fc
    .date({ min: new Date('2026-01-01'), max: new Date('2031-01-01'), noInvalidDate: true })
    .map((at) => new Date(Math.floor(at.getTime() / 1000) * 1000)),
  minute: fc.integer({ min: 0, max: 179 }),
})

/** Does every step, each as late as `delays` says; the instants at which they are done. */
function walk(of: Renewing, delays: readonly number[]): Date[] {
  const done: Date[] = []
  for (let index = 0; stepOf(of, index); index++) {
    const last = done.at(-1) ?? new Date(0)
    const due = stepDue(of, index, last) ?? last
    done.push(new Date(Math.max(due.getTime(), last.getTime()) + (delays[index] ?? 0)))
  }
  return done
}
const dayOf = (at: Date, zone: string) => Date.parse(localTimeOf(at.getTime(), zone).slice(0, 10)) / dayMs
const timeOf = (at: Date, zone: string) => localTimeOf(at.getTime(), zone).slice(11)

test('on time every step is on its day, in the morning of the zone', () => {
  fc.assert(
    fc.property(renewing, (of) => {
      const end = dayOf(of.periodEnd, of.zone)
      const done = walk(of, [])
      expect(done.map((at) => dayOf(at, of.zone) - end)).toEqual(renewalSteps[of.cadence].map(({ day }) => day))
      for (const at of done) {
        expect(timeOf(at, of.zone) >= '08:00').toBe(true)
        expect(timeOf(at, of.zone) < '11:00').toBe(true)
      }
    }),
  )
})

test('however late, the days of grace are whole, no two charges are on one day, and the licence lasts until it expires', () => {
  const delay = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 * dayMs }))
  fc.assert(
    fc.property(renewing, fc.array(delay, { minLength: 11, maxLength: 11 }), (of, delays) => {
      const steps = renewalSteps[of.cadence]
      const done = walk(of, delays)
      const at = (act: string) => done.filter((_, index) => steps[index]?.act === act)
      const charged = at('charge').map((one) => dayOf(one, of.zone))
      expect(new Set(charged).size).toBe(charged.length)
      const [expired] = at('expire').map((one) => dayOf(one, of.zone))
      expect((expired ?? 0) - (charged[0] ?? 0)).toBeGreaterThanOrEqual(14)
      // Between two steps it holds at least until the next one is due.
      steps.forEach((step, index) => {
        if (step.day < -1 || step.day > 13) return
        const next = stepDue(of, index + 1, done[index] ?? new Date(0))
        expect(graceUntil(of, index, done[index] ?? new Date(0)) >= (next ?? 0)).toBe(true)
      })
    }),
  )
})

test('a licence lasts 14 days past its period, to the minute at which it expires', () => {
  const of: Renewing = {
    cadence: 'monthly',
    zone: 'Africa/Lagos',
    periodEnd: new Date('2026-02-28T23:30:00Z'),
    minute: 30,
  }
  // 1 March 00:30 in Lagos.
  const done = walk(of, [])
  expect(done.map((at) => at.toISOString().slice(0, 16))).toEqual([
    '2026-02-26T07:30',
    '2026-02-28T07:30',
    '2026-03-01T07:30',
    '2026-03-02T07:30',
    '2026-03-05T07:30',
    '2026-03-10T07:30',
    '2026-03-14T07:30',
    '2026-03-15T07:30',
    '2026-04-30T07:30',
  ])
  for (let index = 1; index < 7; index++)
    expect(graceUntil(of, index, done[index] ?? new Date(0)).toISOString()).toBe('2026-03-15T07:30:00.000Z')
})

test('a period that began more than 35 days ago is not charged by itself', () => {
  const start = new Date('2026-03-01T00:00:00Z')
  expect(mayStillBeCharged(start, new Date('2026-04-05T00:00:00Z'))).toBe(true)
  expect(mayStillBeCharged(start, new Date('2026-04-05T00:00:01Z'))).toBe(false)
})
