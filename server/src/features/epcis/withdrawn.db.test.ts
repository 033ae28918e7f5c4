import { type CaptureServer, openCapture } from '@isotherm/simulator/epcis/capture.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { type FileKey, openFiles } from '../../platform/files/files.ts'
import { sweepPushes } from './jobs.ts'

const t = describeApp({ webhookAllowPrivate: true })
const hour = 3_600_000
let admin: TestUser
let capture: CaptureServer
beforeEach(async () => {
  admin = await buildUser(t)
  capture = await openCapture()
  capture.limit = 2
  await setAddress(capture.url)
})
afterEach(() => capture.close())

const setAddress = (url: string) =>
  t.change(
    admin.companyId,
    `insert into export_settings (company_id, capture_url, updated_at) values ($1, $2, now())
     on conflict (company_id) do update set capture_url = excluded.capture_url`,
    [admin.companyId, url],
  )
const call = (method: 'GET' | 'POST', path: string, body?: object) =>
  t.call(method, `/export/${path}`, { token: admin.token, ...(body && { body }) })

const happens = (shipmentId: string, kind: string, legId: string | null) =>
  changing(t.pool, admin.companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId: admin.companyId },
      {
        ...{ shipment_id: shipmentId, leg_id: legId, kind, occurred_at: t.clock.now(), recorded_at: t.clock.now() },
        ...{ occurred_zone: 'UTC', source: 'person', by_name: 'Thandi' },
      },
    ),
  )

/** A shipment by a vessel, of which five events are told. */
async function underWay() {
  const legs = [{ container_no: 'CSQU3054383', vessel_name: 'Cold Star', from_port: 'ZACPT', to_port: 'NLRTM' }]
  const made = await aShipment(t, admin, { state: 'ongoing', legs })
  const legId = made.legs[0]?.id ?? null
  for (const kind of ['stuffed', 'gateIn', 'loaded', 'departed', 'arrived']) await happens(made.id, kind, legId)
  return { id: made.id, legId }
}
const rename = (id: string, name: string) =>
  t.change(admin.companyId, `update shipment_legs set vessel_name = $2 where shipment_id = $1`, [id, name])

const push = async (id: string) => {
  const { body } = await call('POST', `shipments/${id}/epcis/pushes`)
  await t.runJobs()
  t.clock.advance(hour)
  await sweepPushes.run(t.services, {})
  return body.payload.id as string
}
const stateOf = async (id: string) => (await call('GET', `shipments/${id}/epcis/pushes`)).body.payload[0].state

interface Line {
  eventID: string
  errorDeclaration?: { reason: string; correctiveEventIDs?: string[] }
}
const linesOf = (server: CaptureServer): Line[] => server.taken.flatMap(({ epcisBody }) => epcisBody.eventList)
/** The ids that a receiver has: of events that stand, of those in error, and of those in error that it never had. */
function heldBy(server: CaptureServer) {
  const state = new Map<string, 'stands' | 'error' | 'neverHad'>()
  for (const { eventID, errorDeclaration } of linesOf(server)) {
    const isKnown = state.has(eventID) && state.get(eventID) !== 'neverHad'
    state.set(eventID, errorDeclaration ? (isKnown ? 'error' : 'neverHad') : 'stands')
  }
  const of = (wanted: string) => [...state].flatMap(([id, one]) => (one === wanted ? [id] : [])).sort()
  return { stands: of('stands'), error: of('error'), neverHad: of('neverHad') }
}
async function truth(id: string): Promise<string[]> {
  const answer = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipments/${id}/epcis` },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  const list: Line[] = JSON.parse(answer.payload).epcisBody.eventList
  return list.flatMap(({ eventID, errorDeclaration }) => (errorDeclaration ? [] : [eventID])).sort()
}

test.each([
  ['refuses the second part', ['good', 'refuses'], 2],
  ['takes the second part and is cut off', ['good', 'drops', 'refuses'], 4],
  ['is out of order at the second part', ['good', 'fails', 'refuses'], 2],
] as const)('after a receiver that %s, an edit and a push, it has exactly the present truth', async (_, modes, had) => {
  const { id } = await underWay()
  capture.next = [...modes]
  await push(id)
  expect([await stateOf(id), heldBy(capture).stands.length]).toEqual(['failed', had])
  await rename(id, 'Table Bay Spirit')
  await push(id)
  await sweepPushes.run(t.services, {})
  expect(await stateOf(id)).toBe('accepted')
  const held = heldBy(capture)
  expect(held.stands).toEqual(await truth(id))
  expect(held.error.length).toBeGreaterThan(0)
  // A part that an answer of 5xx may have left there is withdrawn as well, all else is known.
  expect(held.neverHad.length).toBe(modes[1] === 'fails' ? 2 : 0)
})

test('an event of a push before the last is withdrawn, until a push that withdraws it is accepted', async () => {
  const { id } = await underWay()
  await push(id)
  await sweepPushes.run(t.services, {})
  const first = await truth(id)
  await rename(id, 'Table Bay Spirit')
  capture.next = ['refuses']
  await push(id)
  expect(await stateOf(id)).toBe('failed')
  await rename(id, 'Cape Breeze')
  await push(id)
  await sweepPushes.run(t.services, {})
  const held = heldBy(capture)
  const now = await truth(id)
  expect([held.stands, held.neverHad]).toEqual([now, []])
  expect(held.error).toEqual(first.filter((one) => !now.includes(one)))
  const before = linesOf(capture).length
  await push(id)
  const again = linesOf(capture).slice(before)
  expect(again.length).toBe(now.length)
  expect(again.some(({ errorDeclaration }) => errorDeclaration)).toBe(false)
})

test('each event that is withdrawn names the one that takes its place, also where that was told in vain before', async () => {
  const { id } = await underWay()
  await push(id)
  await sweepPushes.run(t.services, {})
  await rename(id, 'Table Bay Spirit')
  capture.next = ['good', 'good', 'good', 'drops', 'refuses']
  await push(id)
  await push(id)
  await sweepPushes.run(t.services, {})
  const now = await truth(id)
  const declared = linesOf(capture).filter(({ errorDeclaration }) => errorDeclaration)
  expect(declared.length).toBeGreaterThan(0)
  for (const { errorDeclaration } of declared) {
    const named = errorDeclaration?.correctiveEventIDs ?? []
    expect(named.length).toBeGreaterThan(0)
    expect(now).toEqual(expect.arrayContaining(named))
  }
  expect(heldBy(capture).stands).toEqual(now)
})

test('what another address was sent is withdrawn there alone', async () => {
  const { id } = await underWay()
  await push(id)
  await sweepPushes.run(t.services, {})
  const other = await openCapture()
  await setAddress(other.url)
  await rename(id, 'Table Bay Spirit')
  await push(id)
  expect(linesOf(other).some(({ errorDeclaration }) => errorDeclaration)).toBe(false)
  await setAddress(capture.url)
  await push(id)
  await sweepPushes.run(t.services, {})
  expect(heldBy(capture).stands).toEqual(await truth(id))
  await other.close()
})

test('more than a hundred pushes in vain are all withdrawn', async () => {
  const { id } = await underWay()
  capture.limit = null
  capture.next = ['drops', 'refuses']
  await push(id)
  const [one] = await t.rows<{ id: string }>('select id from epcis_pushes where shipment_id = $1', [id])
  // As if it had been tried in vain a hundred times since, with nothing of it sent.
  await t.change(
    admin.companyId,
    `insert into epcis_pushes (company_id, shipment_id, state, events, file_key, sha256, url, created_at, created_by_name, settled_at)
     select company_id, shipment_id, 'failed', events, file_key, sha256, url, created_at, created_by_name, settled_at
     from epcis_pushes, generate_series(1, 120) where id = $1`,
    [one?.id],
  )
  await rename(id, 'Table Bay Spirit')
  await push(id)
  await sweepPushes.run(t.services, {})
  const { stands, neverHad } = heldBy(capture)
  expect([stands, neverHad]).toEqual([await truth(id), []])
  // The log has all of them, page by page, newest first.
  const pages: string[][] = []
  do {
    const before = pages.at(-1)?.at(-1)
    const path = `shipments/${id}/epcis/pushes?limit=50${before ? `&before=${before}` : ''}`
    pages.push((await call('GET', path)).body.payload.map((one: { id: string }) => one.id))
  } while (pages.at(-1)?.length === 50)
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 22])
  const all = await t.rows<{ id: string }>('select id from epcis_pushes where shipment_id = $1 order by id desc', [id])
  expect(pages.flat()).toEqual(all.map((one) => one.id))
})

test('a push that failed is not sent again once a newer one was made: it would tell what is not true any more', async () => {
  const { id } = await underWay()
  capture.next = ['refuses']
  const failed = await push(id)
  await rename(id, 'Table Bay Spirit')
  await push(id)
  expect((await call('POST', `epcis-pushes/${failed}/retry`)).body.code).toBe('PUSH_OUTDATED')
})

test('an attempt that is killed while it sends may have sent everything', async () => {
  const { id } = await underWay()
  await call('POST', `shipments/${id}/epcis/pushes`)
  await t.pool.query(
    `create function refuse_settling() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  )
  await t.pool.query(`create trigger killed before update on epcis_pushes for each row
    when (new.last_status is distinct from old.last_status) execute function refuse_settling()`)
  await t.runJobs().catch(() => undefined)
  await t.pool.query('drop trigger killed on epcis_pushes')
  await t.pool.query('drop function refuse_settling')
  expect(heldBy(capture).stands).toHaveLength(5)
  capture.next = ['refuses']
  t.clock.advance(hour)
  await sweepPushes.run(t.services, {})
  expect(await stateOf(id)).toBe('failed')
  await rename(id, 'Table Bay Spirit')
  await push(id)
  await sweepPushes.run(t.services, {})
  const { stands, neverHad } = heldBy(capture)
  expect([stands, neverHad]).toEqual([await truth(id), []])
})

const loseFile = async (id: string) => {
  const [row] = await t.rows<{ file_key: FileKey }>('select file_key from epcis_pushes where id = $1', [id])
  if (row) await openFiles(t.services.config).remove(row.file_key)
}
const toldBy = (id: string) =>
  t.rows<{ told: unknown[] | null }>('select told from epcis_pushes where shipment_id = $1 order by id', [id])

test('what a push told is withdrawn also where its file is gone', async () => {
  const { id } = await underWay()
  const first = await push(id)
  await sweepPushes.run(t.services, {})
  const before = await truth(id)
  await loseFile(first)
  await rename(id, 'Table Bay Spirit')
  await push(id)
  await sweepPushes.run(t.services, {})
  const now = await truth(id)
  const { stands, error, neverHad } = heldBy(capture)
  expect([stands, neverHad]).toEqual([now, []])
  expect(error).toEqual(before.filter((one) => !now.includes(one)))
  // Once all of it is withdrawn, it is not kept any longer.
  expect((await toldBy(id)).map(({ told }) => told?.length ?? null)).toEqual([null, now.length + error.length])
})

test('where neither the file of a push nor its events are there, nothing is pushed before the file is back', async () => {
  const { id } = await underWay()
  const first = await push(id)
  await sweepPushes.run(t.services, {})
  await t.change(admin.companyId, 'update epcis_pushes set told = null where id = $1', [first])
  await rename(id, 'Table Bay Spirit')
  await loseFile(first)
  const answer = await call('POST', `shipments/${id}/epcis/pushes`)
  expect([answer.status, answer.body.code]).toEqual([400, 'EPCIS_HELD_UNKNOWN'])
  expect(await toldBy(id)).toHaveLength(1)
})

test('what went to another address too is kept, until that one has the truth', async () => {
  const { id } = await underWay()
  capture.next = ['good', 'refuses']
  const first = await push(id)
  const other = await openCapture()
  await setAddress(other.url)
  await call('POST', `epcis-pushes/${first}/retry`)
  await t.runJobs()
  t.clock.advance(hour)
  await sweepPushes.run(t.services, {})
  await sweepPushes.run(t.services, {})
  expect(await stateOf(id)).toBe('accepted')
  await rename(id, 'Table Bay Spirit')
  await push(id)
  await sweepPushes.run(t.services, {})
  expect(await stateOf(id)).toBe('accepted')
  expect((await toldBy(id)).every(({ told }) => told !== null)).toBe(true)
  await other.close()
})
