import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Entitled, settleSubscription } from '../company/settle-subscription.ts'
import { findKey, type LicenceKey, monthsOf, takeKey } from '../provider/licence-keys.ts'
import { type PlanRow, planById } from '../provider/plans.ts'
import { countDevices, insertLicence, licenceOf, lockLicences, startLicenceAt } from './licence-queries.ts'

export interface Licence {
  id: number
  keyHash: Buffer | null
  hint: string
  devices: number
  /** Later than now: it has no device yet, and begins with its first one. */
  startsAt: Date
  expiresAt: Date
}

/** A bought licence begins with its first device, at the latest so long after its key was issued. */
const latestStartMonths = 12

/**
 * The licence of a key, with room for one more device: made at the first claim, which binds the key to the company. It runs from
 * now on, at the latest. The key stays locked until the transaction ends. Throws LICENCE_INVALID or LICENCE_USED.
 */
export async function claimLicence(ctx: Context, text: string, now: Date): Promise<Licence> {
  const { licence } = await takeLicence(ctx, text, now)
  if ((await countDevices(ctx, licence.id)) >= licence.devices) throw new AppError('LICENCE_USED')
  return startLicence(ctx, licence, now)
}

/**
 * A licence that the company has, with room for one more device, for who names no key; else how many places its licences have, all of
 * them taken.
 */
export async function claimPlace(ctx: Context, now: Date): Promise<{ licence?: Licence; places: number }> {
  const licences = await lockLicences(ctx, now)
  const places = licences.reduce((sum, { devices }) => sum + devices, 0)
  for (const licence of licences)
    if ((await countDevices(ctx, licence.id)) < licence.devices)
      return { licence: await startLicence(ctx, licence, now), places }
  return { places }
}

/** Takes a key into the company's stock, or finds the licence that it made before. Throws LICENCE_INVALID or LICENCE_USED. */
export async function takeLicence(
  ctx: Context,
  text: string,
  now: Date,
): Promise<{ licence: Licence; isNew: boolean }> {
  const key = await withLogin(ctx.tx, () => findKey(ctx.tx, text, { lock: true }))
  if (!key) throw new AppError('LICENCE_INVALID')
  if (key.companyId !== null && key.companyId !== ctx.companyId) throw new AppError('LICENCE_USED')
  const known = await licenceOf(ctx, key.hash)
  const licence = known ?? (await openLicence(ctx, key, now))
  if (licence.expiresAt <= now) throw new AppError('LICENCE_INVALID')
  return { licence, isNew: known === undefined }
}

async function openLicence(ctx: Context, key: LicenceKey, now: Date): Promise<Licence> {
  const plan = await withLogin(ctx.tx, async () => {
    await takeKey(ctx.tx, key, ctx.companyId, now)
    return key.planId === null ? undefined : planById(ctx.tx, key.planId)
  })
  const startsAt = addMonths(key.issuedAt, latestStartMonths)
  const licence = await insertLicence(ctx, {
    source: 'key',
    key_hash: key.hash,
    hint: key.hint,
    ...numbersOf(plan),
    devices: key.devices,
    starts_at: startsAt,
    expires_at: addMonths(startsAt, key.months),
  })
  await settleSubscription(ctx)
  return licence
}

/** The numbers of a plan as a licence keeps them; without one none but devices is limited. */
export const numbersOf = (plan: PlanRow | undefined) => ({
  plan_id: plan?.id ?? null,
  plan_name: plan?.name ?? null,
  users: plan?.users ?? null,
  emails: plan?.emails ?? null,
  phones: plan?.phones ?? null,
  retention_months: plan?.retention_months ?? null,
  modules: plan?.modules ?? null,
})

/** A licence that has not begun begins now. */
async function startLicence(ctx: Entitled, licence: Licence, now: Date): Promise<Licence> {
  const { id, keyHash, startsAt } = licence
  if (startsAt <= now || keyHash === null) return licence
  const months = await withLogin(ctx.tx, () => monthsOf(ctx.tx, keyHash))
  const begun = await startLicenceAt(ctx, id, now, addMonths(now, months))
  await settleSubscription(ctx)
  return begun
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
