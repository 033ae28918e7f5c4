import type { Device, DeviceSetup } from '@isotherm/contract/devices.ts'
import { checkImei } from '../../domain/identifiers.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import { claimLicence, refuseExpired } from '../../platform/devices/licences.ts'
import { wish } from '../../platform/devices/wishes.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { findHardware } from '../../platform/provider/hardware.ts'
import { getDevice } from './get-device.ts'
import { limitsOf, setLimits } from './set-limits.ts'

const assumedIntervalS = 600

/** What only we ourselves decide: a demo's devices have a past, and measure as often as they are said to. */
export interface SetupOptions {
  validFrom?: Date
  intervalKnown?: boolean
}

/**
 * Claims a piece of hardware for the company under a licence key. Of two who claim the same, one wins.
 * Throws LICENCE_INVALID, LICENCE_USED, DEVICE_UNKNOWN, DEVICE_IN_USE, SUBSCRIPTION_EXPIRED or a 422.
 */
export async function setupDevice(ctx: Context, input: DeviceSetup, options: SetupOptions = {}): Promise<Device> {
  if (checkImei(input.imei) !== 'ok' && !input.overrideImeiCheck) throw invalidField('imei', 'rule.luhn')
  await refuseExpired(ctx)
  const now = ctx.clock.now()
  const licence = await claimLicence(ctx, input.licenceKey, now)
  const hardware = await withLogin(ctx.tx, () => findHardware(ctx.tx, input.imei, { lock: true }))
  if (!hardware) throw new AppError('DEVICE_UNKNOWN')
  if (input.probe > hardware.probes) throw invalidField('probe', 'tooBigNumber', { limit: hardware.probes })
  const { id } = await ctx.tx
    .insertInto('devices')
    .values({
      company_id: ctx.companyId,
      name: input.name,
      tag: input.tag ?? null,
      type: hardware.type,
      visibility: input.visibility,
      interval_s: input.intervalS ?? assumedIntervalS,
      licence_id: licence.id,
      licence_until: licence.expiresAt,
      created_at: options.validFrom ?? now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const validFrom = options.validFrom ?? now
  await assign(ctx, id, input, validFrom)
  await setLimits(ctx.tx, { companyId: ctx.companyId, id }, limitsOf(input.limits), validFrom)
  if (input.intervalS !== undefined && !options.intervalKnown)
    await wish(
      ctx.tx,
      { companyId: ctx.companyId, deviceId: id, userId: ctx.person.id, now },
      { kind: 'interval', value: { intervalS: input.intervalS } },
      { intervalS: 0 },
    )
  ctx.audit({
    action: 'devices.added',
    target: { kind: 'device', id: String(id), name: input.name },
    after: { imei: input.imei, probe: input.probe, licence: licence.hint, visibility: input.visibility },
  })
  announceDevice(ctx, id, 'added', input.visibility === 'private')
  return input.visibility === 'private' ? getOwn(ctx, id) : getDevice(ctx, String(id))
}

// Whoever may add devices may add a private one, and sees it this once.
const getOwn = (ctx: Context, id: number) => getDevice({ ...ctx, person: { ...ctx.person, role: 'admin' } }, String(id))

const exclusionViolation = '23P01'

/** Who else has this probe, in whichever company, is seen by the constraint alone. */
async function assign(ctx: Context, deviceId: number, { imei, probe }: DeviceSetup, validFrom: Date): Promise<void> {
  try {
    await ctx.tx
      .insertInto('assignments')
      .values({ company_id: ctx.companyId, device_id: deviceId, imei, probe, valid_from: validFrom })
      .execute()
  } catch (error) {
    if ((error as { code?: string }).code === exclusionViolation) throw new AppError('DEVICE_IN_USE')
    throw error
  }
}
