import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { inTenant } from '../src/platform/db/transaction.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { changing } from './changed.ts'
import { aDevice } from './device-factory.ts'
import type { Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

/** A record of the company's newest group: the test of a path with both makes the group first. */
export async function buildGroupRecord(test: Stage, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const group = await inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .selectFrom('groups')
      .select('id')
      .where('company_id', '=', companyId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  )
  return buildRecord(test, { companyId, groupId: group.id })
}

interface FactoryOptions {
  companyId: number
  deviceIds?: number[]
  groupId?: string
  name?: string
  lot?: string
  state?: 'planned' | 'running' | 'ended'
  startAt?: Date
  endAt?: Date
}

let count = 0

/** A record as its verb leaves it: of a device of its own, begun an hour ago and running, where nothing else is said. */
export async function buildRecord(test: Stage, given: FactoryOptions): Promise<{ id: string }> {
  const { companyId, state = 'running' } = given
  const deviceIds = given.deviceIds ?? [(await aDevice(test, { companyId })).id]
  count += 1
  const now = test.clock.now()
  return changing(test.pool, companyId, async ({ tx }) => {
    const { id } = await tx
      .insertInto('records')
      .values({
        company_id: companyId,
        group_id: given.groupId ?? null,
        name: given.name ?? `Record ${count}`,
        state,
        lot: given.lot ?? null,
        start_at: given.startAt ?? new Date(now.getTime() + (state === 'planned' ? 3_600_000 : -3_600_000)),
        end_at: given.endAt ?? (state === 'ended' ? now : null),
        ended_by: state === 'ended' ? 'hand' : null,
        created_at: now,
        created_by_name: 'Somebody',
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const device_id of deviceIds)
      await tx.insertInto('record_devices').values({ company_id: companyId, record_id: id, device_id }).execute()
    return { id }
  })
}

export async function buildNote(test: Stage, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const record = await buildRecord(test, { companyId })
  return inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('record_notes')
      .values({
        company_id: companyId,
        record_id: record.id,
        text: 'loaded at the dock',
        created_at: test.clock.now(),
        created_by: '1',
        created_by_name: 'Somebody',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

export async function buildAttachment(test: TestApp, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const record = await buildRecord(test, { companyId })
  const file = await openFiles(test.services.config).begin('record-attachments', 'txt')
  await writeFile(file.path, 'seal 4711')
  await file.keep()
  return inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('record_attachments')
      .values({
        company_id: companyId,
        record_id: record.id,
        name: 'seal.txt',
        type: 'txt',
        size_bytes: 9,
        sha256: createHash('sha256').update('seal 4711').digest(),
        file_key: file.key,
        created_at: test.clock.now(),
        created_by: '1',
        created_by_name: 'Somebody',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}
