import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { startS3 } from '../../../test/s3-server.ts'
import { aShipment } from '../../../test/shipment-factory.ts'
import { findOrphans, sweepOrphans } from '../../core/files/orphans.ts'
import { openFiles } from '../../platform/files/files.ts'
import { keepBytes } from '../../platform/files/uploads.ts'

let s3: Awaited<ReturnType<typeof startS3>>
let t: TestApp
let admin: TestUser
let path: string
beforeAll(async () => {
  s3 = await startS3()
  t = await startTestApp({ fileStore: s3.store })
  admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  const { id } = await buildRecord(t, { companyId: admin.companyId, deviceIds: [device.id] })
  path = `/enterprise/record/${id}`
})
afterAll(async () => {
  await t?.close()
  await s3?.stop()
})

const attach = () => {
  const file = new SentFile('seal.txt', Buffer.from('seal 4711'))
  return t.call('POST', `${path}/attachments`, { token: admin.token, body: { file } })
}
const attachments = async () => (await t.call('GET', path, { token: admin.token })).body.payload.attachments as object[]

test('a file that is attached lies in the bucket, and is read from there by those of the company only', async () => {
  const { body } = await attach()
  const file = `/enterprise/record-attachments/${body.payload.id}`
  expect((await t.call('GET', file, { token: admin.token })).body).toBe('seal 4711')
  const stranger = await buildUser(t)
  expect((await t.call('GET', file, { token: stranger.token })).status).toBe(404)
})

test('a report is built, kept in the bucket, downloaded and mailed with its file', async () => {
  const asked = await t.call('POST', `${path}/report`, { token: admin.token, body: {} })
  const mails = await t.mails()
  expect(mails.at(-1)?.attachments).toHaveLength(1)
  const file = `/enterprise/record-reports/${asked.body.payload.id}/file`
  const got = await t.call('GET', file, { token: admin.token })
  expect([got.status, String(got.body).slice(0, 5)]).toEqual([200, '%PDF-'])
})

test('a document of a shipment lies in the bucket, and is read from there where no copy is left', async () => {
  const shipment = await aShipment(t, admin)
  const pdf = Buffer.from('%PDF-1.7\nhello\n%%EOF')
  const body = { kind: 'billOfLading', title: 'Bill of lading', file: new SentFile('bl.pdf', pdf) }
  const added = await t.call('POST', `/export/shipments/${shipment.id}/documents`, { token: admin.token, body })
  const path = `/export/shipment-documents/${added.body.payload.id}`
  const headers = { authorization: `Bearer ${admin.token}` }
  expect((await t.app.inject({ url: `/app/api/v1${path}`, headers })).rawPayload).toEqual(pdf)
  const [row] = await t.rows<{ file_key: string }>('select file_key from shipment_documents')
  const copies = await openFiles(t.services.config).forgetUnfinished(new Date(Date.now() + 60_000))
  expect(copies).toBeGreaterThan(0)
  expect((await t.app.inject({ url: `/app/api/v1${path}`, headers })).rawPayload).toEqual(pdf)
  expect(row?.file_key).toMatch(/^shipment-documents\//)
  const stranger = await buildUser(t)
  expect((await t.call('GET', path, { token: stranger.token })).status).toBe(404)
})

test('the sweep removes what no row names from the bucket, a day after it was put', async () => {
  const bytes = Buffer.from('ten degrees')
  const { key } = await keepBytes(t.services.config, 'record-attachments', 'txt', bytes)
  const files = openFiles(t.services.config)
  const isThere = async (name: string) => Boolean(await files.read(name))
  expect((await findOrphans(t.services)).orphans).toEqual([])
  t.clock.set(new Date(Date.now() + 2 * 86_400_000))
  const turn = await findOrphans(t.services, undefined, 1)
  expect(turn).toMatchObject({ orphans: [{ name: key, bytes: bytes.length }], next: expect.any(String) })
  expect(await findOrphans(t.services, turn.next ?? '')).toMatchObject({ looked: 0, orphans: [], next: null })
  await sweepOrphans.run(t.services, {})
  const rows = await t.rows<{ file_key: string }>('select file_key from record_attachments')
  expect(rows.length).toBeGreaterThan(0)
  for (const { file_key } of rows) expect(await isThere(file_key)).toBe(true)
  expect(await isThere(key)).toBe(false)
})

test('while the bucket does not answer a file is refused, and nothing is half done', async () => {
  const before = await attachments()
  await s3.stop()
  const refused = await attach()
  expect([refused.status, refused.body.code]).toEqual([503, 'FILES_UNREACHABLE'])
  expect(await attachments()).toEqual(before)
  const ready = await t.app.inject('/ready')
  expect([ready.statusCode, ready.json().warnings]).toEqual([200, expect.arrayContaining(['files'])])
})
