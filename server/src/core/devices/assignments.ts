import type { TenantTx } from '../../platform/context.ts'
import { type EventDraft, noteEvents } from '../events/note-events.ts'
import type { Claim } from './device-changes.ts'
import { noteTrackers } from './settings-changes.ts'

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
  await noteEvents(ctx.tx, [claimed(ctx, deviceId, { imei, probe }, from)])
}

/** Returns which devices got their probe. Who else has one is seen by the exclusion constraint alone. */
export async function assign(
  ctx: TenantTx,
  claims: (Pick<Claim, 'input'> & { id: number })[],
  validFrom: Date,
): Promise<Set<number>> {
  const rows = await ctx.tx
    .insertInto('assignments')
    .values(
      claims.map(({ id, input: { imei, probe } }) => ({
        company_id: ctx.companyId,
        device_id: id,
        imei,
        probe,
        valid_from: validFrom,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('device_id')
    .execute()
  await noteTrackers(
    ctx.tx,
    claims.map(({ input }) => input.imei),
  )
  const assigned = new Set(rows.map((row) => row.device_id))
  const drafts = claims.flatMap(({ id, input }) => (assigned.has(id) ? claimed(ctx, id, input, validFrom) : []))
  await noteEvents(ctx.tx, drafts)
  return assigned
}

const claimed = (
  { companyId }: TenantTx,
  deviceId: number,
  { imei, probe }: Pick<Assigned, 'imei' | 'probe'>,
  at: Date,
): EventDraft => ({
  ...{ companyId, deviceId, type: 'device.claimed', key: `${deviceId}:${imei}:${probe}:${at.getTime()}`, at },
  data: { imei, probe },
})
