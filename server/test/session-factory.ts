import { inTenant } from '../src/platform/db/transaction.ts'
import { aDevice } from './device-factory.ts'
import type { Stage } from './factories.ts'

interface FactoryOptions {
  companyId?: number
  deviceId?: number
  startedAt?: Date
  endedAt?: Date
}

/** A session by hand that began an hour ago and is open, of a device of its own. */
export async function buildSession(test: Stage, given: FactoryOptions = {}) {
  const device = given.deviceId === undefined ? await aDevice(test, given) : null
  const companyId = device?.companyId ?? given.companyId ?? 0
  const deviceId = device?.id ?? given.deviceId ?? 0
  const now = test.clock.now()
  const { id } = await inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('device_sessions')
      .values({
        company_id: companyId,
        device_id: deviceId,
        opened_by: 'hand',
        created_at: now,
        started_at: given.startedAt ?? new Date(now.getTime() - 3_600_000),
        ended_at: given.endedAt ?? null,
        ended_by: given.endedAt ? 'hand' : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { companyId, id, deviceId }
}
