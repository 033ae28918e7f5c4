import { type Assigned, insertAssignment } from '../../core/devices/assignments.ts'
import { requestCommand } from '../../core/devices/commands.ts'
import { updateDevice } from '../../core/devices/device-queries.ts'
import { aboutOf, type LockedDevice } from '../../core/devices/lock-device.ts'
import { type HardwareClaim, prove, refuseInUse, takeOver } from '../../core/provider/claim-hardware.ts'
import type { StoredHardware } from '../../core/provider/hardware.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/** A device on hardware that was claimed for it. */
export interface ClaimedDevice {
  device: LockedDevice
  /** The new secret of hardware that another company had before. */
  newSecret: string | null
}

/** Now, or just after the period that is to end began: no period is empty. */
export function changeoverAt(ctx: Context, present: Assigned | undefined): Date {
  const since = (present?.valid_to ?? present?.valid_from)?.getTime() ?? 0
  return new Date(Math.max(ctx.clock.now().getTime(), since + 1))
}

/**
 * Locks a probe of the hardware a device is to have, once the claim is proven. Throws CLAIM_REFUSED, TOO_MANY_REQUESTS, or a
 * 422 for a missing code or for a probe it does not have.
 */
export async function proveHardware(ctx: Context, wanted: HardwareClaim & { probe: number }): Promise<StoredHardware> {
  const hardware = await prove(ctx, wanted)
  if (wanted.probe > hardware.probes) throw invalidField('probe', 'tooBigNumber', { limit: hardware.probes })
  return hardware
}

const exclusionViolation = '23P01'

/**
 * Gives a device proven hardware from `at` on; returns the hardware's new secret where another company had it before, else
 * null. Throws CLAIM_REFUSED: who else has it, in whichever company, only the constraints see.
 */
export async function assignHardware(
  ctx: Context,
  deviceId: number,
  to: { hardware: StoredHardware; probe: number },
  at: Date,
): Promise<string | null> {
  const { imei } = to.hardware
  try {
    await insertAssignment(ctx, deviceId, imei, to.probe, at)
  } catch (error) {
    if ((error as { code?: string }).code === exclusionViolation) throw refuseInUse(ctx)
    throw error
  }
  return (await takeOver(ctx, [to.hardware])).get(imei) ?? null
}

/** New hardware knows nothing of its device: it is asked for the interval, and to pause where the old one did or should. */
export async function tellSettings(
  ctx: Context,
  device: LockedDevice,
  withdrawn: { kind: string; value: unknown }[],
): Promise<void> {
  const wanted = (kind: string) =>
    withdrawn.find((row) => row.kind === kind)?.value as Record<string, unknown> | undefined
  const about = aboutOf(ctx, device)
  const intervalS = Number(wanted('interval')?.intervalS ?? device.interval_s)
  await requestCommand(ctx.tx, about, { kind: 'interval', value: { intervalS } }, { intervalS: 0 })
  const state = String(wanted('transmission')?.state ?? device.transmission)
  // New hardware transmits by default, so a pause must be requested again and stays pending until the device confirms.
  await updateDevice(ctx, device.id, {
    transmission: 'started',
    power: 'on',
    flight_mode: 'off',
    updated_at: about.now,
  })
  await requestCommand(ctx.tx, about, { kind: 'transmission', value: { state } }, { state: 'started' })
}
