import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { aShipmentPlace } from '../../../test/shipment-factory.ts'

const t = describeApp()
const day = 86_400_000
const at = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString()

interface Leg {
  id: string
  sequence: number
  [field: string]: unknown
}

async function scene() {
  const admin = await buildUser(t)
  const ends = {
    originId: (await aShipmentPlace(t, admin)).id,
    destinationId: (await aShipmentPlace(t, admin, { kind: 'destination' })).id,
  }
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    t.call(method, `/export/shipments${path}`, { token: admin.token, ...(body && { body }) })
  const done = async (answer: Promise<Awaited<ReturnType<typeof ask>>>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBe(200)
    return body.payload as { id: string; version: number; legs: Leg[] }
  }
  const made = (...legs: object[]) =>
    done(ask('POST', '', { logistics: 'external', product: 'Oranges', ...ends, legs }))
  const edit = async (id: string, legs: object[], version?: number) =>
    ask('PATCH', `/${id}`, { version: version ?? (await done(ask('GET', `/${id}`))).version, legs })
  const edited = (id: string, ...legs: object[]) => done(edit(id, legs))
  const milestone = (id: string, kind: string, legId: string, ms = 0) =>
    done(ask('POST', `/${id}/milestones`, { kind, legId, at: at(ms) }))
  const start = (id: string) => done(ask('PATCH', `/${id}`, { state: 'ongoing' }))
  return { admin, ask, made, edit, edited, milestone, start }
}

const sea = (departs: number, arrives: number) => ({ mode: 'sea', etd: at(departs * day), eta: at(arrives * day) })
const planOf = ({ plannedEtd, plannedEta, etd, eta }: Leg) => ({ plan: [plannedEtd, plannedEta], now: [etd, eta] })

test('the plan of a leg follows edits until it is due or the shipment starts; then they are estimates', async () => {
  const s = await scene()
  const made = await s.made(sea(2, 20), { mode: 'rail' })
  const [first, second] = made.legs as [Leg, Leg]
  expect(planOf(first)).toEqual({ plan: [at(2 * day), at(20 * day)], now: [at(2 * day), at(20 * day)] })
  const moved = await s.edited(made.id, { ...sea(3, 21), id: first.id }, { mode: 'rail', id: second.id })
  const plan = [at(3 * day), at(21 * day)]
  expect(planOf(moved.legs[0] as Leg)).toEqual({ plan, now: plan })
  await s.start(made.id)
  const rail = { mode: 'rail', id: second.id, etd: at(22 * day), eta: at(23 * day) }
  const later = await s.edited(made.id, { ...sea(4, 25), id: first.id }, rail)
  expect(planOf(later.legs[0] as Leg)).toEqual({ plan, now: [at(4 * day), at(25 * day)] })
  expect(planOf(later.legs[1] as Leg)).toEqual({ plan: [rail.etd, rail.eta], now: [rail.etd, rail.eta] })
  await s.milestone(made.id, 'departed', first.id)
  const under = await s.edited(made.id, { ...sea(3, 30), id: first.id }, rail)
  expect(planOf(under.legs[0] as Leg)).toEqual({ plan, now: [at(3 * day), at(30 * day)] })
})

test('scorecards count punctuality by the plan, not by an arrival that was edited afterwards', async () => {
  const s = await scene()
  const made = await s.made(sea(1, 10))
  const [leg] = made.legs as [Leg]
  t.clock.advance(day)
  await s.milestone(made.id, 'departed', leg.id)
  t.clock.advance(12 * day)
  await s.edited(made.id, { mode: 'sea', id: leg.id, etd: at(-12 * day), eta: at(0) })
  await s.milestone(made.id, 'arrived', leg.id)
  const cards = await t.call('GET', '/export/scorecards?by=lane', { token: s.admin.token })
  expect(cards.body.payload).toMatchObject([{ arrived: 1, onTime: 0, onTimePct: 0, lateDays: 3 }])
})

test('an arrival that is said only after the departure is no plan, and counts neither as in time nor as late', async () => {
  const s = await scene()
  const made = await s.made({ mode: 'sea', etd: at(day) })
  const [leg] = made.legs as [Leg]
  t.clock.advance(day)
  await s.milestone(made.id, 'departed', leg.id)
  const known = await s.edited(made.id, { mode: 'sea', id: leg.id, etd: at(0), eta: at(9 * day) })
  expect(known.legs).toMatchObject([{ eta: at(9 * day), plannedEtd: at(0), plannedEta: null }])
  t.clock.advance(8 * day)
  await s.milestone(made.id, 'arrived', leg.id)
  const cards = await t.call('GET', '/export/scorecards?by=lane', { token: s.admin.token })
  expect(cards.body.payload).toMatchObject([{ arrived: 0, onTimePct: null }])
})
