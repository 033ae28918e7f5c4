import type { DeviceSetup } from '@isotherm/contract/devices.ts'
import { claimLicence, claimPlace, type Licence } from '../../core/devices/licences.ts'
import { checkProbe, prove, refuseInUse, takeOver } from '../../core/provider/claim-hardware.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import { checkImei } from '../../domain/identifiers.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField, PlanLimitReached } from '../../platform/errors/app-error.ts'
import { claimDevices, type SetupOptions } from './claim-devices.ts'
import type { DeviceRow } from './device-queries.ts'
import { findDevice } from './get-device.ts'

/**
 * Claims a piece of hardware for the company under a licence key, or without one in a free place of a licence that the company has. Of
 * two who claim the same, one wins. Throws LICENCE_INVALID, LICENCE_USED, LIMIT_REACHED, CLAIM_REFUSED or VALIDATION.
 */
export async function setupDevice(
  ctx: Context,
  input: DeviceSetup,
  options: SetupOptions = {},
): Promise<{ row: DeviceRow; newSecret: string | null }> {
  if (checkImei(input.imei) !== 'ok' && !input.overrideImeiCheck) throw invalidField('imei', 'rule.luhn')
  checkVisibility(ctx, 'public', input.visibility)
  const licence = input.licenceKey ? await claimLicence(ctx, input.licenceKey, ctx.clock.now()) : await ownPlace(ctx)
  const hardware = await prove(ctx, input)
  checkProbe(hardware, input.probe)
  const [id = null] = await claimDevices(ctx, [{ input, licence, hardware }], options)
  if (id === null) throw refuseInUse(ctx)
  const newSecret = (await takeOver(ctx, [hardware])).get(input.imei) ?? null
  return { row: await findDevice(ctx, id), newSecret }
}

/** A free place of the company's licences. */
async function ownPlace(ctx: Context): Promise<Licence> {
  const { licence, places } = await claimPlace(ctx, ctx.clock.now())
  if (licence) return licence
  throw places > 0
    ? new PlanLimitReached('devices', { limit: places, used: places })
    : invalidField('licenceKey', 'required')
}
