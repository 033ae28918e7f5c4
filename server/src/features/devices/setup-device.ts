import type { DeviceSetup } from '@isotherm/contract/devices.ts'
import { claimLicence } from '../../core/devices/licences.ts'
import { checkProbe, prove, refuseInUse, takeOver } from '../../core/provider/claim-hardware.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import { checkImei } from '../../domain/identifiers.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { claimDevices, type SetupOptions } from './claim-devices.ts'
import type { DeviceRow } from './device-queries.ts'
import { findDevice } from './get-device.ts'

/**
 * Claims a piece of hardware for the company under a licence key. Of two who claim the same, one wins.
 * Throws LICENCE_INVALID, LICENCE_USED, CLAIM_REFUSED or VALIDATION.
 */
export async function setupDevice(
  ctx: Context,
  input: DeviceSetup,
  options: SetupOptions = {},
): Promise<{ row: DeviceRow; newSecret: string | null }> {
  if (checkImei(input.imei) !== 'ok' && !input.overrideImeiCheck) throw invalidField('imei', 'rule.luhn')
  checkVisibility(ctx, 'public', input.visibility)
  const licence = await claimLicence(ctx, input.licenceKey, ctx.clock.now())
  const hardware = await prove(ctx, input)
  checkProbe(hardware, input.probe)
  const [id = null] = await claimDevices(ctx, [{ input, licence, hardware }], options)
  if (id === null) throw refuseInUse(ctx)
  const newSecret = (await takeOver(ctx, [hardware])).get(input.imei) ?? null
  return { row: await findDevice(ctx, id), newSecret }
}
