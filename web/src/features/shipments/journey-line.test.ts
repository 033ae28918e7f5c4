import type { ShipmentEvent, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { milestonesByLeg, shareOf, stageOf, wasHeardLate } from './journey-line.ts'

const at = (day: number) => new Date(Date.UTC(2026, 2, day)).toISOString()
const leg = (values: Partial<ShipmentLeg>): ShipmentLeg =>
  ({
    ...{ id: '1', etd: null, eta: null, plannedEtd: null, plannedEta: null, atd: null, ata: null, rolledAt: null },
    ...values,
  }) as ShipmentLeg
const event = (values: Partial<ShipmentEvent>): ShipmentEvent =>
  ({ kind: 'departed', legId: null, occurredAt: at(1), isCorrected: false, ...values }) as ShipmentEvent

test('what was heard of as it happened is not told twice, in whatever zone', () => {
  const heard = (recordedAt: string) => wasHeardLate({ occurredAt: '2026-11-20T10:18:00+02:00', recordedAt })
  expect([heard('2026-11-20T08:18:30Z'), heard('2026-11-20T08:25:00Z')]).toEqual([false, true])
})

test('a leg is planned, under way, arrived or rolled over, and so much of it lies behind', () => {
  const legs = {
    planned: leg({ etd: at(1), eta: at(5) }),
    underWay: leg({ atd: at(1), etd: at(1), eta: at(5) }),
    arrived: leg({ atd: at(1), ata: at(4), eta: at(5) }),
    rolled: leg({ rolledAt: at(1), eta: at(5) }),
  }
  for (const [stage, one] of Object.entries(legs)) expect(stageOf(one)).toBe(stage)
  const now = Date.parse(at(2))
  expect(Object.values(legs).map((one) => shareOf(one, now))).toEqual([0, 0.25, 1, 0])
  // Overdue, it is nearly there; without a planned arrival it is somewhere.
  expect(shareOf(legs.underWay, Date.parse(at(9)))).toBe(0.97)
  expect(shareOf(leg({ atd: at(1) }), now)).toBe(0.5)
})

test('milestones stand at their leg in the sequence of time, those of the whole shipment where the goods were', () => {
  const legs = [
    leg({ id: 'old', rolledAt: at(1) }),
    leg({ id: 'road', atd: at(2) }),
    leg({ id: 'sea', atd: at(4) }),
    leg({ id: 'rail' }),
  ]
  const withdrawn = { at: at(7), byName: 'Thandi', reason: 'Another vessel' }
  const events = [
    event({ id: 'e4', kind: 'customsHold', occurredAt: at(6) }),
    event({ id: 'e1', kind: 'stuffed', occurredAt: at(1) }),
    event({ id: 'e3', kind: 'departed', legId: 'sea', occurredAt: at(4) }),
    event({ id: 'e2', kind: 'departed', legId: 'road', occurredAt: at(2) }),
    event({ id: 'wrong', kind: 'departed', legId: 'road', isCorrected: true }),
    event({ id: 'never', kind: 'arrived', legId: 'sea', occurredAt: at(5), isCorrected: true, withdrawn }),
    event({ id: 'none', kind: 'documentAdded' }),
  ]
  const ids = [...milestonesByLeg(legs, events)].map(([id, own]) => [id, own.map((one) => one.id)])
  expect(ids).toEqual([
    ['road', ['e1', 'e2']],
    // One that was withdrawn stays, struck through.
    ['sea', ['e3', 'never', 'e4']],
  ])
})
