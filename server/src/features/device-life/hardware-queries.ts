import { noteDevices, noteTrackers } from '../../core/devices/settings-changes.ts'
import type { Context, TenantTx } from '../../platform/context.ts'

export interface Assigned {
  imei: string
  probe: number
  valid_from: Date
  valid_to: Date | null
}

/** The hardware of a device through time, the newest first: what it has now, or had last, comes first. */
export const hardwareOf = (ctx: TenantTx, deviceId: number): Promise<Assigned[]> =>
  ctx.tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'valid_from', 'valid_to'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from', 'desc')
    .execute()

/** Frees the hardware a device has: what it measured before `at` stays, and goes on coming in, as the device's. */
export async function releaseHardware(ctx: TenantTx, deviceId: number, at: Date): Promise<void> {
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

export async function insertAssignment(ctx: TenantTx, deviceId: number, imei: string, probe: number, from: Date) {
  await ctx.tx
    .insertInto('assignments')
    .values({ company_id: ctx.companyId, device_id: deviceId, imei, probe, valid_from: from })
    .execute()
  await noteTrackers(ctx.tx, [imei])
}

/** Takes back what the present hardware has not answered: other hardware has other answers. Returns what was asked. */
export async function withdrawCommands(ctx: Context, deviceId: number): Promise<{ kind: string; value: unknown }[]> {
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
