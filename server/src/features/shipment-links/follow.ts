import type { Locale, Period } from '@isotherm/contract/common.ts'
import { expectedArrival } from '@isotherm/contract/expected-arrival.ts'
import type { FollowedShipment } from '@isotherm/contract/shipment-links.ts'
import { sharedRange } from '@isotherm/contract/shipment-products.ts'
import {
  type MilestoneKind,
  milestoneKinds,
  ShipmentEnd,
  type ShipmentLeg,
  type ShipmentState,
} from '@isotherm/contract/shipments.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { findCompany, logoVersionOf } from '../../core/company/company.ts'
import { logoFile } from '../../core/company/logo.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { humidityOf, type Measured, worstOf } from '../../core/orders/conditions.ts'
import { asGuest } from '../../core/people/as-guest.ts'
import { countedDevices, partlySeen } from '../../core/shipments/counted-queries.ts'
import { presentLeg as presentShipmentLeg } from '../../core/shipments/present-shipment.ts'
import { productsOfRow } from '../../core/shipments/products.ts'
import { eventsOf, findShipment, type LegRow, legsOf, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { gapOfRecord, verdictOfRecord } from '../../domain/record-verdict.ts'
import { rulesOf } from '../../domain/rules.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Openings } from './openings.ts'
import { documentsOf, type FoundLink, findByToken, noteOpening, portNames } from './queries.ts'

/** The figures that another feature knows; the app hands them in. */
export interface FollowSources {
  stats(ctx: Context, deviceId: number, period: Period): Promise<StatsOfDevice>
}

/** A page that nothing happened to is worked out anew after this time. */
const keptMs = 2 * 60_000
const maxKept = 5_000

/** The answers that were given last, by link: pages ask twice a minute, and mostly nothing has changed. */
export type KeptPages = Map<string, { stamp: string; until: number; page: FollowedShipment }>

/** The link of a token that is good now. Throws LINK_INVALID alike for every other text. */
async function findLink({ services, clock }: PublicContext, token: string): Promise<FoundLink> {
  const found = await asPipeline(services.pool, ({ tx }) => findByToken(tx, tokenHash(token), clock.now()))
  if (!found) throw new AppError('LINK_INVALID')
  return found
}

/** The page of a shipment. Throws LINK_INVALID alike for every token that leads nowhere. */
export async function follow(
  ctx: PublicContext,
  sources: FollowSources,
  kept: KeptPages,
  { token, isOpening }: { token: string; isOpening: boolean },
): Promise<FollowedShipment> {
  const found = await findLink(ctx, token)
  const key = `${found.companyId}:${found.id}`
  const now = ctx.clock.now().getTime()
  const before = kept.get(key)
  if (!isOpening && before?.stamp === found.stamp && before.until > now) return before.page
  const page = await asGuest(ctx, found.companyId, async (viewer) => {
    if (isOpening) await noteOpening(viewer, found.id, ctx.clock.now())
    return pageOf(viewer, sources, found)
  })
  kept.delete(key)
  kept.set(key, { stamp: found.stamp, until: now + keptMs, page })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return page
}

async function pageOf(ctx: Context, sources: FollowSources, found: FoundLink): Promise<FollowedShipment> {
  const shipment = await findShipment(ctx, found.shipmentId)
  const legs = await legsOf(ctx, [shipment.id])
  const events = await eventsOf(ctx, shipment.id)
  const codes = [
    ...legs.flatMap(({ from_port, to_port }) => [from_port, to_port]),
    ...events.map((one) => one.port_code),
  ]
  const names = await portNames(
    ctx,
    codes.filter((code) => code !== null),
  )
  const nameOf = (code: string | null) => (code === null ? null : (names.get(code) ?? code))
  const [origin, destination] = [ShipmentEnd.parse(shipment.origin), ShipmentEnd.parse(shipment.destination)]
  const corrected = new Set(events.map(({ corrects }) => corrects))
  const last = legs.findLast(({ rolled_at }) => rolled_at === null)
  const eta = last ? arrivalOf(presentShipmentLeg(last), ctx.clock.now().getTime()) : null
  const company = await findCompany(ctx.tx, ctx.companyId)
  const isOpen = shipment.state === 'pending' || shipment.state === 'ongoing'
  return {
    ...{ company: company.name, logoVersion: logoVersionOf(company) },
    ...{ number: showShipmentNumber(shipment.number), reference: shipment.reference },
    product: productsOfRow(shipment)
      .map((one) => one.product)
      .join(', '),
    ...{ state: shipment.state as ShipmentState, locale: found.locale as Locale | null },
    origin: { name: origin.name, country: origin.country },
    destination: { name: destination.name, country: destination.country },
    ...{ eta, etaZone: last?.to_zone ?? destination.timezone },
    isLate: isOpen && last?.ata === null && last.eta !== null && last.eta < ctx.clock.now(),
    legs: legs.filter(({ rolled_at }) => rolled_at === null).map((leg) => presentLeg(leg, nameOf)),
    milestones: events
      .filter(({ kind, id }) => isMilestone(kind) && !corrected.has(id))
      .map((event) => ({
        ...{ kind: event.kind as MilestoneKind, occurredAt: event.occurred_at.toISOString() },
        ...{ timezone: event.occurred_zone, place: nameOf(event.port_code) ?? event.place_name },
      })),
    conditions: await conditionsOf(ctx, sources, shipment),
    documents: found.showsDocuments
      ? (await documentsOf(ctx, shipment.id)).map((row) => ({
          ...{ documentNo: row.document_no, kind: row.kind as FollowedShipment['documents'][number]['kind'] },
          ...{ title: row.title, type: row.type, sizeBytes: row.size_bytes },
        }))
      : [],
    at: ctx.clock.now().toISOString(),
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
const isMilestone = (kind: string): boolean => milestoneKinds.some((one) => one === kind)

/** When a leg arrived, or is expected to: the member's page has the same. */
function arrivalOf(leg: ShipmentLeg, now: number): string | null {
  const expected = expectedArrival(leg, now)
  return leg.ata ?? (expected === null ? null : new Date(expected).toISOString())
}

const presentLeg = (leg: LegRow, nameOf: (code: string | null) => string | null): FollowedShipment['legs'][number] => ({
  mode: leg.mode as FollowedShipment['legs'][number]['mode'],
  from: { name: leg.from_name ?? nameOf(leg.from_port) ?? '', timezone: leg.from_zone },
  to: { name: leg.to_name ?? nameOf(leg.to_port) ?? '', timezone: leg.to_zone },
  ...{ vesselName: leg.vessel_name, voyage: leg.voyage, flightNumber: leg.flight_number },
  ...{ containerNo: leg.container_no, awb: leg.awb },
  ...{ etd: iso(leg.etd), eta: iso(leg.eta), atd: iso(leg.atd), ata: iso(leg.ata) },
})

/** The verdict of the devices that are public, and the one number; the humidity where it is out of range. */
async function conditionsOf(
  ctx: Context,
  sources: FollowSources,
  shipment: ShipmentRow,
): Promise<FollowedShipment['conditions']> {
  const { id, started_at, ended_at, cancelled_at } = shipment
  const to = ended_at ?? cancelled_at ?? ctx.clock.now()
  const shown = started_at && to > started_at ? await countedDevices(ctx, id) : []
  if (shown.length === 0) return null
  const devices: Measured[] = []
  for (const { id: deviceId, since, until } of shown) {
    const period = { from: since.toISOString(), to: until.toISOString() }
    const stats = await sources.stats(ctx, deviceId, period)
    const rules = rulesOf(await loadLimits(ctx, deviceId), await loadIntervals(ctx, deviceId))
    devices.push({ id: deviceId, stats, rules })
  }
  const worst = worstOf(devices)
  const { minC, maxC } = sharedRange(productsOfRow(shipment))
  const all = devices.map(({ stats }) => stats)
  const verdict = verdictOfRecord(all)
  // A device that the page does not see may have been out of range, and so may goods without a device.
  const part = verdict === 'inRange' ? await partlySeen(ctx, id) : null
  return {
    verdict: part ? 'incomplete' : verdict,
    incompleteBecause: part ?? (verdict === 'incomplete' ? gapOfRecord(all) : null),
    ...{ worstC: worst?.temperatureC ?? null, worstAt: worst?.at ?? null },
    ...{ minC, maxC, ...humidityOf(devices) },
  }
}

const contentTypes: Record<string, string> = {
  ...{ pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', csv: 'text/csv' },
  ...{ xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', json: 'application/json' },
  xml: 'application/xml',
}

/** The logo on the page of a shipment. Throws LINK_INVALID, and NOT_FOUND without one. */
export async function followedLogo(ctx: PublicContext, { token }: { token: string }) {
  const { companyId, shipmentId } = await findLink(ctx, token)
  const file = await asGuest(ctx, companyId, async (viewer) => {
    await findShipment(viewer, shipmentId)
    return logoFile(viewer, ctx.services)
  })
  return file.answer()
}

/** A document of the shipment. Throws LINK_INVALID, also where the link shows no documents, and NOT_FOUND. */
export async function followedDocument(
  ctx: PublicContext,
  openings: Openings,
  { token, documentNo }: { token: string; documentNo: number },
) {
  const found = await findLink(ctx, token)
  if (!found.showsDocuments) throw new AppError('LINK_INVALID')
  const file = await asGuest(ctx, found.companyId, async (viewer) => {
    const shipment = await findShipment(viewer, found.shipmentId)
    const rows = await documentsOf(viewer, shipment.id)
    const row = orNotFound(rows.find(({ document_no }) => document_no === documentNo))
    const { companyId, id: linkId } = found
    const entry = {
      action: 'shipmentLinks.documentOpened',
      target: { kind: 'shipment', id: shipment.id, name: showShipmentNumber(shipment.number) },
      after: { title: row.title },
    }
    const opening = { companyId, linkId, documentNo, origin: ctx.origin, at: ctx.clock.now(), entry }
    if (openings.isFirst(opening)) viewer.audit(entry)
    const filename = `${showShipmentNumber(shipment.number)}-${documentNo}.${row.type}`
    return storedFile(ctx.services.config, row.file_key, { filename, contentType: contentTypes[row.type] })
  })
  return file.answer()
}
