import { expect, test } from 'vitest'
import { planOf } from './leg-plan.ts'

const at = (day: number) => new Date(Date.UTC(2026, 6, day))
const planned = { planned_etd: at(10), planned_eta: at(20), atd: null, rolled_at: null }
const plan = ({ planned_etd, planned_eta }: ReturnType<typeof planOf>) => [planned_etd, planned_eta]
const later = { etd: at(12), eta: at(23) }

test('the plan follows an edit while the shipment is pending and the departure lies ahead', () => {
  expect(plan(planOf(planned, later, { isPending: true, now: at(9) }))).toEqual([at(12), at(23)])
  expect(plan(planOf(planned, { etd: null, eta: null }, { isPending: true, now: at(9) }))).toEqual([null, null])
})

test('the plan stays once the departure was due, once the shipment started, and once the leg departed or was rolled over', () => {
  const kept = [at(10), at(20)]
  expect(plan(planOf(planned, later, { isPending: true, now: at(10) }))).toEqual(kept)
  expect(plan(planOf(planned, later, { isPending: false, now: at(9) }))).toEqual(kept)
  expect(plan(planOf({ ...planned, atd: at(9) }, later, { isPending: true, now: at(9) }))).toEqual(kept)
  expect(plan(planOf({ ...planned, rolled_at: at(9) }, later, { isPending: true, now: at(9) }))).toEqual(kept)
})

test('an instant that nobody planned is planned by who says it first, but not after the departure', () => {
  const open = { ...planned, planned_eta: null }
  expect(plan(planOf(open, later, { isPending: false, now: at(9) }))).toEqual([at(10), at(23)])
  expect(plan(planOf({ ...open, atd: at(10) }, later, { isPending: false, now: at(11) }))).toEqual([at(10), null])
})
