import { takeLicence } from '../../core/devices/licences.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { findLicence, type LicenceRow } from './queries.ts'

/**
 * Takes a key into the company's stock; who has expired may begin new things again at once. The same key again changes nothing. Throws
 * LICENCE_INVALID or LICENCE_USED.
 */
export async function takeIntoStock(ctx: Context, licenceKey: string): Promise<LicenceRow> {
  const { licence, isNew } = await takeLicence(ctx, licenceKey, ctx.clock.now())
  const row = orNotFound(await findLicence(ctx, licence.id))
  if (isNew)
    ctx.audit({
      action: 'subscription.licenceTaken',
      target: { kind: 'licence', id: String(row.id), name: row.hint },
      after: { devices: row.devices, plan: row.plan_name, startsAt: row.starts_at.toISOString() },
    })
  return row
}
