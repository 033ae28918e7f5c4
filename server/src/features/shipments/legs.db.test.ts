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

const named = ({ id, sequence, fromName }: Leg) => [id, sequence, fromName]
const to = (leg: Leg) => ({ id: leg.id, mode: leg.mode, fromName: leg.fromName, etd: leg.etd, eta: leg.eta })
const from = (fromName: string, mode = 'rail') => ({ mode, fromName })

test('legs that have not departed are put between others, change places and go; milestones stay with their leg', async () => {
  const s = await scene()
  const made = await s.made(from('A'), from('B'), from('C'))
  const [a, b, c] = made.legs as [Leg, Leg, Leg]
  await s.milestone(made.id, 'gateIn', c.id)
  const put = await s.edited(made.id, from('X'), to(c), to(a), from('Y'), to(b))
  expect(put.legs.map(named)).toEqual([
    [expect.any(String), 1, 'X'],
    ...[c, a].map((leg, n) => [leg.id, n + 2, leg.fromName]),
    [expect.any(String), 4, 'Y'],
    [b.id, 5, 'B'],
  ])
  expect(await t.rows(`select leg_id from shipment_events where shipment_id = ${made.id} and kind = 'gateIn'`)).toEqual(
    [{ leg_id: c.id }],
  )
  const [, kept, , last] = put.legs as [Leg, Leg, Leg, Leg, Leg]
  const fewer = await s.edited(made.id, to(last), to(kept))
  expect(fewer.legs.map(named)).toEqual([
    [last.id, 1, 'Y'],
    [c.id, 2, 'C'],
  ])
  const lost = await s.edit(made.id, [to(last)])
  expect([lost.status, lost.body.fields]).toEqual([422, { legs: ['A leg with milestones stays.'] }])
})

test('a leg that has departed keeps its place, and those that are rolled over or have departed their order', async () => {
  const s = await scene()
  const made = await s.made(from('A'), from('B', 'sea'), from('C'))
  const [a, b, c] = made.legs as [Leg, Leg, Leg]
  await s.milestone(made.id, 'departed', a.id)
  const rolled = await s.ask('POST', `/${made.id}/roll-over`, { legId: b.id, leg: { mode: 'sea' } })
  const [, , again] = rolled.body.payload.legs as [Leg, Leg, Leg]
  const faultsOf = async (...legs: object[]) => {
    const { status, body } = await s.edit(made.id, legs)
    return [status, Object.keys(body.fields ?? {})]
  }
  const rest = [to(b), to(again), to(c)]
  expect(await faultsOf(from('X'), to(a), ...rest)).toEqual([422, ['legs.0.id']])
  expect(await faultsOf(to(c), to(a), to(b), to(again))).toEqual([422, ['legs.1.id']])
  expect(await faultsOf(to(b), to(a), to(again), to(c))).toEqual([422, ['legs.1.id']])
  expect(await faultsOf(to(a), to(again), to(c))).toEqual([422, ['legs']])
  expect(await faultsOf(to(a), to(a), ...rest)).toEqual([422, ['legs.1.id']])
  expect(await faultsOf(to(a), { ...from('X'), id: '7' }, ...rest)).toEqual([422, ['legs.1.id']])
  const put = await s.edited(made.id, to(a), from('X'), to(b), to(c), to(again))
  expect(put.legs.map(({ id, sequence }) => [id, sequence])).toEqual(
    [a.id, expect.any(String), b.id, c.id, again.id].map((id, n) => [id, n + 1]),
  )
})

test('a shipment with as many legs as it may have turns them round, and of two edits at once one stands', async () => {
  const s = await scene()
  const made = await s.made(...Array.from({ length: 20 }, (_, n) => from(`P${n}`)))
  const round = await s.edited(made.id, ...made.legs.toReversed().map(to))
  expect(round.legs.map(({ id }) => id)).toEqual(made.legs.map(({ id }) => id).reverse())
  const both = await Promise.all(
    ['X', 'Y'].map((name) => s.edit(made.id, [from(name), ...round.legs.slice(0, 5).map(to)], round.version)),
  )
  const codes = both.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()
  expect(codes).toEqual(['CHANGED_MEANWHILE', 'done'])
  const winner = both.find(({ status }) => status === 200)?.body.payload as { legs: Leg[] }
  const stored = await t.rows(`select id, sequence from shipment_legs where shipment_id = ${made.id} order by sequence`)
  expect(stored).toEqual(winner.legs.map(({ id, sequence }) => ({ id, sequence })))
  expect(winner.legs.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
})
