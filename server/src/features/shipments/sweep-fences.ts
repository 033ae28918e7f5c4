import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { z } from 'zod'
import { acting } from '../../core/orders/acts/act-context.ts'
import { noteMilestone } from '../../core/shipments/acts/milestone.ts'
import { endOf } from '../../core/shipments/ends.ts'
import { eventsOf, lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { setFencesSeen } from '../../core/shipments/watch-queries.ts'
import { crossingsOf } from '../../domain/stop-visits.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
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
const oldestAt = (now: Date) => new Date(now.getTime() - oldestMs)

const keyOf = ({ companyId, id }: { companyId: number; id: string }) => `${companyId}:${id}`

const areaOf = ({ lat, lon, radiusM }: Pick<ShipmentEnd, 'lat' | 'lon' | 'radiusM'>) =>
  lat === null || lon === null || radiusM === null ? null : { kind: 'circle' as const, centre: { lat, lon }, radiusM }

/** A border that devices of a shipment may cross, and the milestone that it means. */
interface Border {
  area: ReturnType<typeof areaOf>
  side: 'in' | 'out'
  /** Crossings of before it are not meant. */
  since: number
  kind: 'departed' | 'arrived' | 'delivered'
  legId: string | null
}

/** The borders of a shipment: that of its origin while it is pending; under way those of the next port and of its destination. */
function bordersOf({ state, origin, destination, port, since }: WatchedShipment): Border[] {
  const of = { legId: null, since: since.getTime() }
  if (state === 'pending') return [{ ...of, area: areaOf(origin), side: 'out', kind: 'departed' }]
  const delivered: Border = { ...of, area: areaOf(destination), side: 'in', kind: 'delivered' }
  if (!port) return [delivered]
  return [{ area: areaOf(port), side: 'in', since: port.departed, kind: 'arrived', legId: port.legId }, delivered]
}

/** The first time that any device crossed a border; null: none did. */
function crossingAt({ area, side, since }: Border, fixes: readonly ShipmentFix[]): Date | null {
  if (!area) return null
  const times = [...Map.groupBy(fixes, ({ deviceId }) => deviceId).values()].flatMap((own) =>
    crossingsOf(area, own).flatMap((crossing) => (crossing.side === side && crossing.at > since ? [crossing.at] : [])),
  )
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Notes the milestone of a border that devices crossed, unless somebody has noted it. */
async function act(services: Services, { companyId, id, state }: WatchedShipment, border: Border, at: Date) {
  const { kind, legId } = border
  const by = { source: 'geofence', name: null } as const
  const actor = { kind: 'system', name: 'export' } as const
  try {
    await acting(services, { companyId, by, actor, seesPrivate: false }, async (ctx) => {
      const shipment = await lockShipment(ctx, id)
      if (shipment.state !== state) return
      const events = await eventsOf(ctx, id)
      const withdrawn = new Set(events.map((one) => (one.kind === 'milestoneWithdrawn' ? one.corrects : null)))
      // A person said that the shipment did not depart, or was not delivered, whichever leg that was told of.
      const isKnown = events.some(
        (one) => one.kind === kind && (one.leg_id === legId || (legId === null && withdrawn.has(one.id))),
      )
      if (isKnown) return
      await noteMilestone({ ...ctx, by }, shipment, { kind, legId, occurredAt: at, ...placeOf(shipment, kind) })
    })
  } catch (error) {
    // A device is on another shipment, or its container is: somebody starts it once that is settled.
    if (!(error instanceof AppError)) throw error
    services.log.warn({ code: error.code, companyId, shipment: id }, 'a fence could not move a shipment')
  }
}

/** The zone and the name of an end of a shipment. A leg knows those of its port. */
function placeOf(shipment: ShipmentRow, kind: Border['kind']) {
  if (kind === 'arrived') return {}
  const { timezone, name } = endOf(kind === 'departed' ? shipment.origin : shipment.destination)
  return { zone: timezone, placeName: name }
}

type Question = Parameters<typeof watchedShipments>[1]

async function watchSome(
  services: Services,
  shipments: readonly WatchedShipment[],
  { now, isLate }: Question,
): Promise<void> {
  const lookedUpTo = ({ seenAt, since }: WatchedShipment) => (isLate || seenAt === null ? since : seenAt)
  const asked = shipments.map((one) => ({
    ...one,
    from: new Date(Math.max(lookedUpTo(one).getTime() - overlapMs, oldestAt(now).getTime())),
  }))
  const fixes = Map.groupBy(
    await asPipeline(services.pool, ({ client }) => shipmentFixes(client, asked, now)),
    ({ shipment }) => shipment,
  )
  const seen: { companyId: number; id: string; at: Date }[] = []
  const failed = ({ companyId, id }: WatchedShipment, err: unknown) =>
    services.log.error({ err, companyId, shipment: id }, 'the fences of a shipment were not looked at')
  await eachApart(asked, { failed }, async (shipment) => {
    const own = fixes.get(keyOf(shipment)) ?? []
    for (const border of bordersOf(shipment)) {
      const at = crossingAt(border, own)
      if (at) await act(services, shipment, border, at)
    }
    const newest = Math.max(shipment.seenAt?.getTime() ?? 0, ...own.map((fix) => fix.at))
    if (newest > 0) seen.push({ companyId: shipment.companyId, id: shipment.id, at: new Date(newest) })
  })
  await asPipeline(services.pool, ({ client }) => setFencesSeen(client, seen))
}

async function watchAll(services: Services, isLate: boolean): Promise<void> {
  const now = services.clock.now()
  const asked = { now, oldest: oldestAt(now), limit: perRun, isLate }
  const shipments = await asPipeline(services.pool, ({ client }) => watchedShipments(client, asked))
  for (let first = 0; first < shipments.length; first += perQuestion)
    await watchSome(services, shipments.slice(first, first + perQuestion), asked)
}

/** Every minute: where the devices of shipments left the origin, came to the next port or to the destination, by the instants of their fixes. */
export const sweepShipmentFences: Job<Record<string, never>> = {
  name: 'sweep-shipment-fences',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  run: (services) => watchAll(services, false),
}

/** Every hour: what fixes that came very late say of shipments that devices are still watched for. */
export const sweepLateShipmentFences: Job<Record<string, never>> = {
  name: 'sweep-late-shipment-fences',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '37 * * * *',
  run: (services) => watchAll(services, true),
}
