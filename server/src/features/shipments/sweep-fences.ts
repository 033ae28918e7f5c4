import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { z } from 'zod'
import { acting } from '../../core/orders/acts/act-context.ts'
import { noteMilestone } from '../../core/shipments/acts/milestone.ts'
import { eventsOf, lockShipment } from '../../core/shipments/shipment-queries.ts'
import { setFencesSeen } from '../../core/shipments/watch-queries.ts'
import { crossingsOf } from '../../domain/stop-visits.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Job, Services } from '../../platform/services.ts'
import { type ShipmentFix, shipmentFixes, type WatchedShipment, watchedShipments } from './fence-queries.ts'

const hourMs = 3_600_000
/** Shipments of one run, and of one question for fixes. */
const perRun = 1_000
const perQuestion = 50
/** So much of before is looked at again: a crossing needs two fixes, and one who leaves has been inside. */
const overlapMs = 6 * hourMs
/** Fixes that are older say nothing new. */
const oldestMs = 7 * 24 * hourMs

const keyOf = ({ companyId, id }: { companyId: number; id: string }) => `${companyId}:${id}`

const areaOf = ({ lat, lon, radiusM }: ShipmentEnd) =>
  lat === null || lon === null || radiusM === null ? null : { kind: 'circle' as const, centre: { lat, lon }, radiusM }

/** The first time that any device left the origin of one that is pending, or came to the destination of one under way; null: none did. */
export function crossingAt(
  { state, origin, destination, since }: Pick<WatchedShipment, 'state' | 'origin' | 'destination' | 'since'>,
  fixes: readonly ShipmentFix[],
): Date | null {
  const [area, side] = state === 'pending' ? [areaOf(origin), 'out'] : [areaOf(destination), 'in']
  if (!area) return null
  const times = [...Map.groupBy(fixes, ({ deviceId }) => deviceId).values()].flatMap((own) =>
    crossingsOf(area, own).flatMap((crossing) =>
      crossing.side === side && crossing.at > since.getTime() ? [crossing.at] : [],
    ),
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** The devices of a shipment left its origin: it departed. They came to its destination: it is delivered. */
async function act(services: Services, { companyId, id, state, origin, destination }: WatchedShipment, at: Date) {
  const by = { source: 'geofence', name: null } as const
  const actor = { kind: 'system', name: 'export' } as const
  try {
    await acting(services, { companyId, by, actor, seesPrivate: false }, async (ctx) => {
      const shipment = await lockShipment(ctx, id)
      if (shipment.state !== state) return
      const end = state === 'pending' ? origin : destination
      const kind = state === 'pending' ? 'departed' : 'delivered'
      if ((await eventsOf(ctx, id)).some((event) => event.kind === kind && event.leg_id === null)) return
      await noteMilestone({ ...ctx, by }, shipment, { kind, occurredAt: at, zone: end.timezone, placeName: end.name })
    })
  } catch (error) {
    // A device is on another shipment, or its container is: somebody starts it once that is settled.
    if (!(error instanceof AppError)) throw error
    services.log.warn({ code: error.code, companyId, shipment: id }, 'a fence could not move a shipment')
  }
}

async function watchSome(services: Services, shipments: readonly WatchedShipment[], now: Date): Promise<void> {
  const asked = shipments.map((one) => ({
    ...one,
    from: new Date(Math.max((one.seenAt ?? one.since).getTime() - overlapMs, now.getTime() - oldestMs)),
  }))
  const fixes = Map.groupBy(
    await asPipeline(services.pool, ({ client }) => shipmentFixes(client, asked, now)),
    ({ shipment }) => shipment,
  )
  const seen: { companyId: number; id: string; at: Date }[] = []
  for (const shipment of asked) {
    const own = fixes.get(keyOf(shipment)) ?? []
    const at = crossingAt(shipment, own)
    if (at) await act(services, shipment, at)
    const newest = Math.max(shipment.seenAt?.getTime() ?? 0, ...own.map((fix) => fix.at))
    if (newest > 0) seen.push({ companyId: shipment.companyId, id: shipment.id, at: new Date(newest) })
  }
  await asPipeline(services.pool, ({ client }) => setFencesSeen(client, seen))
}

/** Every minute: where the devices of shipments left the origin or came to the destination, by the instants of their fixes. */
export const sweepShipmentFences: Job<Record<string, never>> = {
  name: 'sweep-shipment-fences',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  async run(services) {
    const now = services.clock.now()
    const shipments = await asPipeline(services.pool, ({ client }) => watchedShipments(client, now, perRun))
    for (let first = 0; first < shipments.length; first += perQuestion)
      await watchSome(services, shipments.slice(first, first + perQuestion), now)
  },
}
