import { readFile } from 'node:fs/promises'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { joiningScene } from '../../../test/joining-scene.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const scene = () => joiningScene(t, pipeline)

const columns = 'drop column joined_at, drop column left_at'
const migration = () => readFile(new URL('../../../migrations/0157_joining.sql', import.meta.url), 'utf8')

/** As the migration finds a shipment that was written before it, and what it writes; all is rolled back. */
async function filled(shipmentId: string, before = 'select') {
  const client = await t.pool.connect()
  try {
    await client.query(
      `begin; alter table shipment_devices ${columns}; alter table record_devices ${columns}; ${before}`,
    )
    await client.query(await migration())
    await client.query('set local role pipeline')
    const joined = (rows: { name: string; joined_at: Date | null }[]) =>
      Object.fromEntries(rows.map(({ name, joined_at }) => [name, joined_at]))
    const ofShipment = await client.query(
      'select d.name, m.joined_at from shipment_devices m join devices d on d.id = m.device_id where m.shipment_id = $1',
      [shipmentId],
    )
    const ofRecord = await client.query(
      `select d.name, m.joined_at, r.start_at from shipments s join records r on r.id = s.record_id
        join record_devices m on m.record_id = r.id join devices d on d.id = m.device_id where s.id = $1`,
      [shipmentId],
    )
    return { devices: joined(ofShipment.rows), inRecord: joined(ofRecord.rows), startAt: ofRecord.rows[0]?.start_at }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('a device was there from the start where it was added before anybody told of the start', async () => {
  const s = await scene()
  const [first, added, later] = [await s.device('First'), await s.device('Added'), await s.device('Later')]
  const id = await s.planned([first])
  await s.has(id, 60, first, added)
  t.clock.set(s.at(120))
  const [leg] = (await s.details(id)).legs
  const departed = { kind: 'departed', legId: leg?.id, at: s.at(0).toISOString() }
  await s.ask('POST', `/export/shipments/${id}/milestones`, departed)
  await s.has(id, 180, first, added, later)
  const joined = { First: null, Added: null, Later: s.at(180) }
  expect(await filled(id)).toEqual({ devices: joined, inRecord: joined, startAt: s.at(0) })
})

test('a device did not join that was added before a start which took the place of one that never was', async () => {
  const s = await scene()
  const [first, added] = [await s.device('First'), await s.device('Added')]
  const id = await s.planned([first])
  const [leg] = (await s.details(id)).legs
  const depart = async (minutes: number, at: number): Promise<ShipmentDetails> => {
    t.clock.set(s.at(minutes))
    const departed = { kind: 'departed', legId: leg?.id, at: s.at(at).toISOString() }
    return s.ask('POST', `/export/shipments/${id}/milestones`, departed)
  }
  const { events } = await depart(10, 5)
  const milestoneId = events.find(({ kind }) => kind === 'departed')?.id
  await s.has(id, 60, first, added)
  t.clock.set(s.at(70))
  await s.ask('POST', `/export/shipments/${id}/milestone-withdrawals`, { milestoneId, reason: 'It stayed' })
  expect((await s.details(id)).state).toBe('pending')
  await depart(120, 30)
  expect((await filled(id)).devices).toEqual({ First: null, Added: null })
})

test('the record of a shipment that started without devices begins with the shipment, and one that is signed as it was signed', async () => {
  const s = await scene()
  const first = await s.device('First')
  const id = await s.started([])
  await s.has(id, 60, first)
  const { recordId } = await s.details(id)
  // The version of before had the record begin a moment before the device was written.
  const began = new Date(s.at(60).getTime() - 3)
  const before = `set local role pipeline; update records set start_at = '${began.toISOString()}' where id = ${recordId}; reset role`
  const joined = { First: s.at(60) }
  expect(await filled(id, before)).toEqual({ devices: joined, inRecord: joined, startAt: s.at(0) })
  const { admin } = s
  await t.change(
    admin.companyId,
    `insert into record_signatures (company_id, record_id, signer_id, signer_name, signer_role, signed_at, meaning, reason, parts,
      content_sha256, sha256) values ($1, $2, $3, $4, 'admin', now(), 'approved', 'Sound', '{}', sha256(''), sha256(''))`,
    [admin.companyId, recordId, admin.id, admin.fullname],
  )
  expect(await filled(id, before)).toEqual({ devices: joined, inRecord: { First: null }, startAt: began })
})
