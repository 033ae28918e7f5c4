import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { inTenant } from '../src/platform/db/transaction.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { aDevice } from './device-factory.ts'
import { buildGroup } from './group-factory.ts'
import type { TestApp } from './harness.ts'
import { anOrder } from './order-factory.ts'
import { buildRecord } from './record-factory.ts'

/** A report of a new group that is ready, asked for by nobody; everybody of the company is in the group. */
export async function buildGroupReport(test: TestApp, given: { companyId: number }): Promise<{ id: string }> {
  const people = await inTenant(test.pool, given.companyId, ({ tx }) =>
    tx.selectFrom('users').select('id').where('company_id', '=', given.companyId).execute(),
  )
  const group = await buildGroup(test, given, { userIds: people.map(({ id }) => id) })
  const ready = await readyFile(test, 'group-reports', 'all was well in the group')
  return inTenant(test.pool, given.companyId, ({ tx }) =>
    tx
      .insertInto('group_reports')
      .values({ ...ready, company_id: given.companyId, group_id: group.id, group_name: group.name, devices: 0 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

/** A report that is ready, of a new device, whose file is five words and nobody asked for. */
export async function buildReport(test: TestApp, given: { companyId: number }): Promise<{ id: string }> {
  const device = await aDevice(test, given)
  return insertReport(test, { ...device, deviceId: device.id, recordId: null })
}

/** The same of a record, of a new one where none is given. */
export async function buildRecordReport(
  test: TestApp,
  given: { companyId: number; recordId?: string },
): Promise<{ id: string; report_key: string }> {
  const recordId = given.recordId ?? (await buildRecord(test, given)).id
  return insertReport(test, { ...given, name: 'Record', deviceId: null, recordId })
}

interface Of {
  companyId: number
  name: string
  deviceId: number | null
  recordId: string | null
}

async function insertReport(test: TestApp, of: Of): Promise<{ id: string; report_key: string }> {
  const ready = await readyFile(test, 'device-reports', 'all was well that day')
  return inTenant(test.pool, of.companyId, ({ tx }) =>
    tx
      .insertInto('device_reports')
      .values({
        ...ready,
        company_id: of.companyId,
        report_key: randomBytes(16).toString('hex'),
        device_id: of.deviceId,
        record_id: of.recordId,
        device_name: of.name,
        company_name: 'Company',
        readings: 0,
        data_sha256: randomBytes(32),
      })
      .returning(['id', 'report_key'])
      .executeTakeFirstOrThrow(),
  )
}

/** A claim pack that is ready, of a new order that has started. */
export async function buildClaim(test: TestApp, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const order = await anOrder(test, { companyId, more: { state: 'inProgress', started_at: test.clock.now() } })
  const ready = await readyFile(test, 'order-claims', 'all was well on the way')
  return inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('order_claims')
      .values({
        ...{ ...ready, company_id: companyId, order_id: order.id, tracking_code: order.tracking_code },
        ...{ format: 'pdf', carriage: 'cmr', contents: ['readings'], device_ids: [] },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

/** The columns of any report that is ready, and its file. */
async function readyFile(test: TestApp, area: string, text: string) {
  const file = await openFiles(test.services.config).begin(area, 'csv')
  await writeFile(file.path, text)
  const { sizeBytes } = await file.keep()
  const now = test.clock.now()
  return {
    period_from: new Date(now.getTime() - 86_400_000),
    period_to: now,
    timezone: 'UTC',
    locale: 'en',
    format: 'csv',
    requested_by: '1',
    requested_by_name: 'Nobody',
    state: 'ready',
    progress: 100,
    created_at: now,
    finished_at: now,
    data_as_of: now,
    size_bytes: String(sizeBytes),
    file_sha256: createHash('sha256').update(text).digest(),
    file_key: file.key,
  }
}
