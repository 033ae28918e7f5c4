import { randomBytes } from 'node:crypto'
import { claimHash } from '../src/core/provider/claim-codes.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { changing } from './changed.ts'
import { codeOf } from './claim-codes.ts'
import { buildCompany, type TestUser } from './factories.ts'
import type { TestApp } from './harness.ts'

let count = 0

interface FactoryOptions {
  companyId?: number
  name?: string
  visibility?: 'private' | 'public'
  intervalS?: number
  /** Since when the hardware is assigned; default: a day ago. */
  validFrom?: Date
}

/** A device with hardware of its own, whose secret is `secret`, and without limits or readings. */
export async function buildDevice(test: TestApp, given: FactoryOptions = {}) {
  const companyId = given.companyId ?? (await buildCompany(test)).companyId
  count += 1
  const imei = String(350_000_000_000_000 + count)
  const secret = randomBytes(24).toString('base64url')
  await asLogin(test.pool, ({ client }) =>
    client.query(
      `insert into hardware (imei, type, secret_hash, claim_hash, owner_id) values ($1, 'tracker', sha256($2::bytea), $3, $4)`,
      [imei, Buffer.from(secret), claimHash(imei, codeOf(imei)), companyId],
    ),
  )
  const name = given.name ?? `Device ${count}`
  const now = test.clock.now()
  return changing(test.pool, companyId, async ({ tx }) => {
    const { id } = await tx
      .insertInto('devices')
      .values({
        company_id: companyId,
        name,
        type: 'tracker',
        visibility: given.visibility ?? 'public',
        interval_s: given.intervalS ?? 600,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const validFrom = given.validFrom ?? new Date(now.getTime() - 86_400_000)
    await tx
      .insertInto('assignments')
      .values({ company_id: companyId, device_id: id, imei, valid_from: validFrom })
      .execute()
    return { companyId, id, imei, secret, name }
  })
}

/** As a person who may, by the call. */
export const renameDevice = (test: TestApp, user: TestUser, id: number, name: string) =>
  test.call('PATCH', `/devices/${id}`, { token: user.token, body: { name } })
