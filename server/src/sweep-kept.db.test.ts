import { stat, utimes, writeFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../test/describe-app.ts'
import { aDevice } from '../test/device-factory.ts'
import { buildUser, type TestUser, token } from '../test/factories.ts'
import { SentFile } from '../test/form.ts'
import { buildGroup } from '../test/group-factory.ts'
import { aShipmentPlace } from '../test/shipment-factory.ts'
import { shipmentSheet } from '../test/shipment-sheet.ts'
import { asPipeline, inTenant } from './platform/db/transaction.ts'
import { openFiles } from './platform/files/files.ts'
import { sweepKept } from './sweep-kept.ts'

// A report is written by a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)

const day = 86_400_000
const sweep = () => sweepKept.run(t.services, {})

async function report(user: TestUser, device: { id: number }): Promise<{ id: string }> {
  const to = t.clock.now()
  const body = { from: new Date(to.getTime() - day).toISOString(), to: to.toISOString(), format: 'csv' }
  const { body: asked } = await t.call('POST', `/devices/${device.id}/history/report`, { token: user.token, body })
  await t.runJobs()
  return (await t.call('GET', `/device-reports/${asked.payload.id}`, { token: user.token })).body.payload
}

test('the file of a history report goes when its time is over, and not a night before; its hash is confirmed still', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5 }])
  const { id } = await report(admin, device)
  const row = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx.selectFrom('device_reports').select(['file_key', 'report_key']).where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const file = () => openFiles(t.services.config).read(row.file_key ?? '')
  const download = (user: TestUser) => t.call('GET', `/device-reports/${id}/file`, { token: user.token })
  t.clock.advance(399 * day)
  await sweep()
  expect((await download(await buildUser(t, { company: admin }))).status).toBe(200)
  t.clock.advance(2 * day)
  await sweep()
  const someday = await buildUser(t, { company: admin })
  expect((await download(someday)).status).toBe(404)
  expect(await file()).toBeUndefined()
  const kept = (await t.call('GET', `/device-reports/${id}`, { token: someday.token })).body.payload
  expect(kept.removedAt).toBe(t.clock.now().toISOString())
  const verified = await t.call('GET', `/verify-report/${row.report_key}`)
  expect(verified.body.payload.fileSha256).toBe(kept.fileSha256)
})

test('so does the file of a group’s report; its line says since when', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  await pipeline.send(device, [{ at: t.clock.now(), temperatureC: 5 }])
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const to = t.clock.now()
  const body = {
    groupId: group.id,
    from: new Date(to.getTime() - day).toISOString(),
    to: to.toISOString(),
    format: 'csv',
  }
  const asked = await t.call('POST', '/groups/download-report', { token: admin.token, body })
  await t.runJobs()
  const look = async () => {
    const { token } = await buildUser(t, { company: admin })
    const answer = await t.call('GET', `/group-reports/${asked.body.payload.id}`, { token })
    const file = await t.call('GET', `/group-reports/${asked.body.payload.id}/file`, { token })
    return { file: file.status, removedAt: answer.body.payload.removedAt, sha256: answer.body.payload.fileSha256 }
  }
  const { sha256 } = await look()
  t.clock.advance(399 * day)
  await sweep()
  expect(await look()).toEqual({ file: 200, removedAt: null, sha256 })
  t.clock.advance(2 * day)
  await sweep()
  expect(await look()).toEqual({ file: 404, removedAt: t.clock.now().toISOString(), sha256 })
})

test('what could not be stored is forgotten after its time, whoever sent it', async () => {
  const { companyId } = await buildUser(t)
  const reject = (company: number | null, daysAgo: number) =>
    asPipeline(t.pool, ({ tx }) =>
      tx
        .insertInto('ingest_rejected')
        .values({
          company_id: company,
          imei: '490154203237518',
          protocol: 'mqtt',
          received_at: new Date(t.clock.now().getTime() - daysAgo * day),
          code: 'UNREADABLE',
          payload: Buffer.from(`${daysAgo}`),
        })
        .execute(),
    )
  for (const company of [companyId, null]) for (const daysAgo of [89, 91, 500]) await reject(company, daysAgo)
  await sweep()
  const left = await asPipeline(t.pool, ({ tx }) => tx.selectFrom('ingest_rejected').select('payload').execute())
  expect(left.map(({ payload }) => payload.toString())).toEqual(['89', '89'])
})

test('a file that was begun and never finished goes after a day; one that is being written stays', async () => {
  const files = openFiles(t.services.config)
  const begin = async (hoursAgo: number) => {
    const { path } = await files.begin('reports', 'pdf')
    await writeFile(path, 'half')
    const at = new Date(t.clock.now().getTime() - (hoursAgo / 24) * day)
    await utimes(path, at, at)
    return path
  }
  const [killed, written] = [await begin(25), await begin(1)]
  await sweep()
  await expect(stat(killed)).rejects.toThrow('ENOENT')
  expect((await stat(written)).size).toBe(4)
})

test('rows of a file that were added are readable in its upload for a week, with its warnings; its hash and its numbers stay', async () => {
  const admin = await buildUser(t)
  const ends = {
    origin: await aShipmentPlace(t, admin),
    destination: await aShipmentPlace(t, admin, { kind: 'destination' }),
  }
  const etd = `${new Date(t.clock.now().getTime() + 5 * day).toISOString().slice(0, 10)} 18:00`
  const file = shipmentSheet(ends, 2, { change: { 0: { etd }, 1: { etd } }, from: t.clock.now().getTime() })
  const sent = await t.call('POST', '/export/shipments/bulk-upload', {
    ...{ token: admin.token, body: { file: new SentFile('season.csv', file) } },
  })
  await t.runJobs()
  const look = async () => {
    const renewed = await token(t, admin)
    return (await t.call('GET', `/export/shipment-uploads/${sent.body.payload.id}`, { token: renewed })).body.payload
  }
  t.clock.advance(6 * day)
  await sweep()
  const before = await look()
  expect(before).toMatchObject({ state: 'stored', warnings: [{ row: 3, code: 'sameCarriage' }] })
  expect(before.preview.rows).toHaveLength(2)
  t.clock.advance(2 * day)
  await sweep()
  const { state, first, last, sha256 } = before
  expect(await look()).toMatchObject({ state, first, last, sha256, preview: null, warnings: [] })
})
