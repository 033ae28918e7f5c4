import type { Port } from '@isotherm/contract/ports.ts'
import { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { NewShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import type { DevicePlace, DocumentKind, MilestoneKind } from '@isotherm/contract/shipments.ts'
import type { z } from 'zod'
import { shipmentActContext } from '../core/shipments/acts/act-context.ts'
import { noteMilestone } from '../core/shipments/acts/milestone.ts'
import { startShipment } from '../core/shipments/acts/start-shipment.ts'
import { legsOf, lockShipment } from '../core/shipments/shipment-queries.ts'
import { addPlace } from '../features/shipment-places/verbs.ts'
import { addShipment } from '../features/shipments/add-shipment.ts'
import { addDocument, storeDocument } from '../features/shipments/documents.ts'
import type { Context } from '../platform/context.ts'
import { Uploads } from '../platform/files/uploads.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'
import { paper } from './paper.ts'

/** The same person at another time. */
export const asOf = (ctx: Context, at: Date): Context => ({ ...ctx, clock: { now: () => at } })

const hourMs = 3_600_000
export const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * hourMs)
/** The full hour from an instant on, as plans are written. */
export const planned = (at: Date) => new Date(Math.ceil(at.getTime() / hourMs) * hourMs).toISOString()
export const dayOf = (at: Date) => at.toISOString().slice(0, 10)

interface End {
  name: string
  country: string
  region: string
  person: string
  company: string
  lat: number
  lon: number
  /** Metres; a device that is nearer has arrived. */
  radiusM?: number
  ports: [Port['type'], string][]
  gln?: string
}

export async function addEnd(ctx: Context, kind: 'origin' | 'destination', end: End): Promise<string> {
  const { name, country, region, person, company, lat, lon, radiusM = null, ports, gln = null } = end
  const place = NewShipmentPlace.parse({
    ...{ name, country, region, personOfContact: person, companyName: company, position: { lat, lon, radiusM } },
    ...{ ports: ports.map(([type, code]) => ({ type, code })), gln },
  })
  return (await addPlace(ctx, kind, place)).id
}

/** The devices of the company by name, each at its place; those that the fleet lacks are left out. */
export async function devicesAt(ctx: Context, places: readonly [name: string, place: DevicePlace][]) {
  const devices = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .execute()
  return places.flatMap(([name, place]) => {
    const device = devices.find((one) => one.name === name)
    return device ? [{ id: String(device.id), place }] : []
  })
}

export const add = async (ctx: Context, shipment: z.input<typeof NewShipment>): Promise<string> =>
  (await addShipment(ctx, NewShipment.parse(shipment))).id

export const start = async (ctx: Context, id: string, at: Date) =>
  void (await startShipment(shipmentActContext(asOf(ctx, at)), await lockShipment(ctx, id), {}))

/** The history of a shipment: milestones of its legs (0: of the whole), each noted when it happened. Those that lie ahead are left out. */
export async function pass(ctx: Context, id: string, milestones: readonly [MilestoneKind, leg: number, at: Date][]) {
  const legs = (await legsOf(ctx, [id])).filter(({ rolled_at }) => rolled_at === null)
  const past = milestones.filter(([, , at]) => at <= ctx.clock.now())
  for (const [kind, leg, at] of past.sort(([, , one], [, , other]) => one.getTime() - other.getTime())) {
    const milestone = { kind, legId: legs[leg - 1]?.id ?? null, occurredAt: at }
    await noteMilestone(shipmentActContext(asOf(ctx, at)), await lockShipment(ctx, id), milestone)
  }
}

/** Documents that come to a shipment at an instant; one that comes twice has two versions. */
export interface Papers {
  at: Date
  shipmentId: string
  documents: readonly [DocumentKind, title: string, string[]][]
}

/** Brings documents: each is stored before the transaction of its row. */
export async function bring(services: Services, companyId: number, { at, shipmentId, documents }: Papers) {
  const numbers = new Map<string, number>()
  for (const [kind, title, lines] of documents) {
    const document = { kind, title, file: paper(`${kind}.pdf`, [title, ...lines]) }
    const uploads = new Uploads(services.config)
    await uploads.during(async () => {
      await storeDocument(document.file, uploads, services)
      const documentNo = numbers.get(kind)
      const input = documentNo === undefined ? document : { ...document, documentNo }
      const row = await asAdmin(services, companyId, (ctx) => addDocument(asOf(ctx, at), shipmentId, input))
      numbers.set(kind, row.document_no)
    })
  }
}
