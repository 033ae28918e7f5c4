import { limitsOf } from '@isotherm/contract/device-limits.ts'
import type { DeviceSetup } from '@isotherm/contract/devices.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import { queueCommands } from '../../platform/devices/commands.ts'
import type { Licence } from '../../platform/devices/licences.ts'
import { invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Hardware } from '../../platform/provider/hardware.ts'
import { addLimits } from './set-limits.ts'

const assumedIntervalS = 600

/** Settings that only we decide: a demo's devices have a past, and measure as often as they are said to. */
export interface SetupOptions {
  validFrom?: Date
  intervalKnown?: boolean
}

/** A device to be, of hardware and a licence with room for it, both locked by the caller. */
export interface Claim {
  input: DeviceSetup
  licence: Licence
  hardware: Hardware
}

/** Throws a 422 for a probe that the hardware does not have. */
export function checkProbe(hardware: Hardware, probe: number): void {
  if (probe > hardware.probes) throw invalidField('probe', 'tooBigNumber', { limit: hardware.probes })
}

/**
 * Makes devices and returns their ids in the order of `claims`, which all speak of different probes. Null is a probe in
 * use, in whichever company: the caller must then roll back. At most some 500 at once: a statement takes 65,535 values.
 */
export async function claimDevices(
  ctx: Context,
  claims: Claim[],
  options: SetupOptions = {},
): Promise<(number | null)[]> {
  const now = ctx.clock.now()
  const validFrom = options.validFrom ?? now
  const ids = await addRows(ctx, claims, validFrom)
  const claimed = claims.map((claim, index) => ({ ...claim, id: ids[index] as number }))
  const assigned = await assign(ctx, claimed, validFrom)
  await addLimits(
    ctx.tx,
    claimed.map(({ id, input }) => ({ companyId: ctx.companyId, id, limits: limitsOf(input.limits) })),
    validFrom,
  )
  if (!options.intervalKnown)
    await queueCommands(
      ctx.tx,
      claimed.flatMap(({ id, input: { intervalS } }) =>
        intervalS === undefined
          ? []
          : [
              {
                companyId: ctx.companyId,
                deviceId: id,
                userId: ctx.person.id,
                now,
                kind: 'interval',
                value: { intervalS },
              },
            ],
      ),
    )
  for (const claim of claimed) tell(ctx, claim)
  return ids.map((id) => (assigned.has(id) ? id : null))
}

async function addRows(ctx: Context, claims: Claim[], createdAt: Date): Promise<number[]> {
  const rows = await ctx.tx
    .insertInto('devices')
    .values(
      claims.map(({ input, licence, hardware }) => ({
        company_id: ctx.companyId,
        name: input.name,
        tag: input.tag ?? null,
        type: hardware.type,
        visibility: input.visibility,
        interval_s: input.intervalS ?? assumedIntervalS,
        licence_id: licence.id,
        licence_until: licence.expiresAt,
        created_at: createdAt,
        updated_at: ctx.clock.now(),
      })),
    )
    .returning('id')
    .execute()
  // Identities are given out in the order of the values.
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Returns which devices got their probe. Who else has one is seen by the exclusion constraint alone. */
async function assign(ctx: Context, claims: (Claim & { id: number })[], validFrom: Date): Promise<Set<number>> {
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
  return new Set(rows.map((row) => row.device_id))
}

function tell(ctx: Context, { id, input, licence }: Claim & { id: number }) {
  ctx.audit({
    action: 'devices.added',
    target: { kind: 'device', id: String(id), name: input.name },
    after: { imei: input.imei, probe: input.probe, licence: licence.hint, visibility: input.visibility },
  })
  announceDevice(ctx, id, 'added', input.visibility === 'private')
}
