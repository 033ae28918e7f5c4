import { limitsOf } from '@isotherm/contract/device-limits.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { assign } from '../../core/devices/assignments.ts'
import { queueCommands } from '../../core/devices/commands.ts'
import type { Claim } from '../../core/devices/device-changes.ts'
import { insertDevices } from '../../core/devices/device-queries.ts'
import type { Context } from '../../platform/context.ts'
import { addLimits } from './change-queries.ts'

/** Settings that only we decide: a demo's devices have a past, and measure as often as they are said to. */
export interface SetupOptions {
  validFrom?: Date
  /** When the sample device goes. */
  sampleUntil?: Date
  intervalKnown?: boolean
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
  const ids = await insertDevices(ctx, claims, validFrom, now, options.sampleUntil)
  const claimed = claims.map((claim, index) => ({ ...claim, id: ids[index] as number }))
  const assigned = await assign(ctx, claimed, validFrom)
  await addLimits(
    ctx,
    claimed.map(({ id, input }) => ({ id, limits: limitsOf(input.limits) })),
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

function tell(ctx: Context, { id, input, licence }: Claim & { id: number }) {
  ctx.audit({
    action: 'devices.added',
    target: { kind: 'device', id: String(id), name: input.name },
    after: { imei: input.imei, probe: input.probe, licence: licence?.hint ?? null, visibility: input.visibility },
  })
  announceDevice(ctx, id, 'added', input.visibility === 'private')
}
