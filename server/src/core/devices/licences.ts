import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findKey, type LicenceKey, takeKey } from '../provider/licence-keys.ts'

export interface Licence {
  id: number
  hint: string
  devices: number
  expiresAt: Date
}

/**
 * The licence of a key, with room for one more device: made at the first claim, which binds the key to the company.
 * The key stays locked until the transaction ends. Throws LICENCE_INVALID or LICENCE_USED.
 */
export async function claimLicence(ctx: Context, text: string, now: Date): Promise<Licence> {
  const key = await withLogin(ctx.tx, () => findKey(ctx.tx, text, { lock: true }))
  if (!key) throw new AppError('LICENCE_INVALID')
  if (key.companyId !== null && key.companyId !== ctx.companyId) throw new AppError('LICENCE_USED')
  const licence = (await findLicence(ctx, key)) ?? (await openLicence(ctx, key, now))
  if (licence.expiresAt <= now) throw new AppError('LICENCE_INVALID')
  if ((await countDevices(ctx, licence.id)) >= licence.devices) throw new AppError('LICENCE_USED')
  return licence
}

async function findLicence(ctx: Context, key: LicenceKey): Promise<Licence | undefined> {
  return ctx.tx
    .selectFrom('licences')
    .select(['id', 'hint', 'devices', 'expires_at as expiresAt'])
    .where('company_id', '=', ctx.companyId)
    .where('key_hash', '=', key.hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

async function openLicence(ctx: Context, key: LicenceKey, now: Date): Promise<Licence> {
  await withLogin(ctx.tx, () => takeKey(ctx.tx, key, ctx.companyId, now))
  return ctx.tx
    .insertInto('licences')
    .values({
      company_id: ctx.companyId,
      key_hash: key.hash,
      hint: key.hint,
      devices: key.devices,
      starts_at: now,
      expires_at: addMonths(now, key.months),
    })
    .returning(['id', 'hint', 'devices', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow()
}

/** How many devices a licence serves. */
export async function countDevices(ctx: Context, licenceId: number): Promise<number> {
  const { count } = await ctx.tx
    .selectFrom('licence_uses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('company_id', '=', ctx.companyId)
    .where('licence_id', '=', licenceId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The same day and time some months on, or the last day of a shorter month; UTC. */
export function addMonths(from: Date, months: number): Date {
  const target = new Date(from)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return target
}
