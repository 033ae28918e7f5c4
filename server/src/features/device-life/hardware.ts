import { requestCommand } from '../../platform/devices/commands.ts'
import { aboutOf, type LockedDevice } from '../../platform/devices/lock-device.ts'
import { noteDevices, noteTrackers } from '../../platform/devices/settings-changes.ts'
import { invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { type HardwareClaim, prove, refuseInUse, takeOver } from '../../platform/provider/claim-hardware.ts'
import type { StoredHardware } from '../../platform/provider/hardware.ts'

export interface Assigned {
  imei: string
  probe: number
  valid_from: Date
  valid_to: Date | null
}

/** The hardware a device has now, or had last; undefined where it never had any. */
export async function lastHardware(ctx: Context, deviceId: number): Promise<Assigned | undefined> {
  return ctx.tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'valid_from', 'valid_to'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Now, or just after the period that is to end began: no period is empty. */
export function changeoverAt(ctx: Context, present: Assigned | undefined): Date {
  const since = (present?.valid_to ?? present?.valid_from)?.getTime() ?? 0
  return new Date(Math.max(ctx.clock.now().getTime(), since + 1))
}

/** Frees the hardware a device has: what it measured before `at` stays, and goes on coming in, as the device's. */
export async function releaseHardware(ctx: Context, deviceId: number, at: Date): Promise<void> {
  const released = await ctx.tx
    .updateTable('assignments')
    .set({ valid_to: at })
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('valid_to', 'is', null)
    .returning('imei')
    .execute()
  await noteTrackers(
    ctx.tx,
    released.map(({ imei }) => imei),
  )
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
    await ctx.tx
      .insertInto('assignments')
      .values({ company_id: ctx.companyId, device_id: deviceId, imei, probe: to.probe, valid_from: at })
      .execute()
  } catch (error) {
    if ((error as { code?: string }).code === exclusionViolation) throw refuseInUse(ctx)
    throw error
  }
  await noteTrackers(ctx.tx, [imei])
  return (await takeOver(ctx, [to.hardware])).get(imei) ?? null
}

/** Takes back what the present hardware has not answered: other hardware has other answers. Returns what was asked. */
export async function withdrawCommands(ctx: Context, deviceId: number) {
  const withdrawn = await ctx.tx
    .updateTable('device_commands')
    .set({ superseded_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('acked_at', 'is', null)
    .where('superseded_at', 'is', null)
    .returning(['kind', 'value'])
    .execute()
  await noteDevices(ctx.tx, [{ companyId: ctx.companyId, deviceId }])
  return withdrawn
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
  await ctx.tx
    .updateTable('devices')
    .set({ transmission: 'started', power: 'on', flight_mode: 'off', updated_at: about.now })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', device.id)
    .execute()
  await requestCommand(ctx.tx, about, { kind: 'transmission', value: { state } }, { state: 'started' })
}
