import type { Locale } from '@isotherm/contract/common.ts'
import type {
  DeviceRole,
  insuranceStates,
  Order,
  OrderDetails,
  OrderInsurance,
  OrderItem,
  OrderReceiver,
  OrderState,
  Rule,
} from '@isotherm/contract/orders.ts'
import { Party, PriceSummary } from '@isotherm/contract/orders.ts'
import { Budget } from '@isotherm/contract/record-budget.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context, Viewer } from '../../platform/context.ts'
import { type CardRow, cardsOf, type EvidenceRow, evidenceOf, seenDevicesOf } from './card-queries.ts'
import { etaOf } from './eta-state.ts'
import { type InsuranceRow, insuranceOf } from './insurance-queries.ts'
import {
  findOrder,
  type ItemRow,
  itemsOf,
  lateReceiversOf,
  type OrderRow,
  type ReceiverRow,
  receiversOf,
} from './order-queries.ts'

type InsuranceState = (typeof insuranceStates)[number]

/** Orders as lists show them to the person, in the sequence of their rows. */
export async function presentOrders(ctx: Viewer, rows: readonly OrderRow[]): Promise<Order[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const cards = new Map((await cardsOf(ctx, ids)).map((card) => [card.id, card]))
  const evidence = new Map((await evidenceOf(ctx, ids)).map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const card = cards.get(row.id)
    return card ? [presentOrder(row, card, evidence.get(row.id))] : []
  })
}

/** All there is to an order that the person may see; throws NOT_FOUND. */
export async function orderDetails(ctx: Viewer & Pick<Context, 'services'>, id: string): Promise<OrderDetails> {
  const row = await findOrder(ctx, id)
  const [order] = await presentOrders(ctx, [row])
  if (!order) throw new Error(`order ${id} has no card`)
  const items = Map.groupBy(await itemsOf(ctx, id), (item) => item.receiver_id)
  const late = new Set(await lateReceiversOf(ctx, id))
  const insurance = await insuranceOf(ctx, id)
  return {
    ...order,
    sender: Party.parse(row.sender),
    pickup: {
      ...{ address: row.pickup_address, lat: row.pickup_lat, lon: row.pickup_lon, radiusM: row.pickup_radius_m },
      ...{ timezone: row.pickup_zone, country: row.pickup_country },
    },
    pickupAt: iso(row.pickup_at),
    startRule: row.start_rule as Rule,
    endRule: row.end_rule as Rule,
    receiverList: (await receiversOf(ctx, [id])).map((receiver) =>
      presentReceiver(receiver, { items: items.get(receiver.id) ?? [], isLate: late.has(receiver.id) }),
    ),
    devices: (await seenDevicesOf(ctx, id)).map((device) => ({
      ...{ id: String(device.device_id), name: device.name, imei: device.imei },
      ...{ role: device.role as DeviceRole, receiverId: device.receiver_id },
    })),
    showsPrivate: row.shows_private,
    recordId: row.record_id,
    lot: row.lot,
    budget: Budget.nullable().parse(row.budget),
    price: PriceSummary.nullable().parse(row.price),
    insuranceDetails: insurance ? presentInsurance(ctx, insurance) : null,
    note: row.note,
    cancelReason: row.cancel_reason,
    returnTo: row.return_to,
    createdBy: row.created_by_name,
  }
}

function presentOrder(row: OrderRow, card: CardRow, evidence: EvidenceRow | undefined): Order {
  const price = PriceSummary.nullable().parse(row.price)
  return {
    id: row.id,
    trackingCode: showTrackingCode(row.tracking_code),
    reference: row.reference,
    state: row.state as OrderState,
    isSnoozed: card.is_snoozed,
    isLate: card.is_late,
    senderName: Party.parse(row.sender).name,
    pickupAddress: row.pickup_address,
    receivers: { total: card.receivers, settled: card.settled, first: card.first, last: card.last },
    deliverBy: row.deliver_by.toISOString(),
    timezone: card.zone,
    driver:
      row.driver_id === null
        ? null
        : {
            id: row.driver_id,
            name: row.driver_name ?? card.driver ?? '',
            isActive: card.driver_works === true,
          },
    vehicle:
      row.vehicle_id === null
        ? null
        : { id: row.vehicle_id, name: card.vehicle ?? '', plate: row.plate ?? card.plate ?? '' },
    deviceCount: card.seen_devices,
    hiddenDevices: card.devices - card.seen_devices,
    verdict: evidence ? verdictOf(evidence) : null,
    insurance: card.insurance as InsuranceState | null,
    total: price?.total ?? null,
    currency: price?.currency ?? row.currency,
    startedAt: iso(row.started_at),
    endedAt: iso(row.ended_at),
    cancelledAt: iso(row.cancelled_at),
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }
}

function verdictOf(evidence: EvidenceRow): Verdict {
  if (evidence.has_excursion) return 'outOfRange'
  if (!evidence.is_measured) return 'noData'
  if (!evidence.is_limited) return 'noLimits'
  return evidence.is_complete ? 'inRange' : 'incomplete'
}

function presentReceiver(
  row: ReceiverRow,
  { items, isLate }: { items: readonly ItemRow[]; isLate: boolean },
): OrderReceiver {
  return {
    id: row.id,
    sequence: row.sequence,
    party: {
      ...{ contactId: row.contact_id, name: row.name, company: row.company_name, email: row.email, phone: row.phone },
      address: row.address,
    },
    stop: {
      ...{ address: row.address, lat: row.lat, lon: row.lon, radiusM: row.radius_m },
      ...{ timezone: row.zone, country: row.country },
    },
    locale: row.locale as Locale | null,
    windowFrom: iso(row.window_from),
    windowBy: iso(row.window_by),
    state: row.state as OrderReceiver['state'],
    snoozedUntil: iso(row.snoozed_until),
    snoozeReason: row.snooze_reason,
    eta: etaOf(row),
    isLate,
    arrivedAt: iso(row.arrived_at),
    departedAt: iso(row.departed_at),
    settledAt: iso(row.settled_at),
    settledBy: row.settled_source as OrderReceiver['settledBy'],
    outcomeReason: row.outcome_reason,
    items: items.map(presentItem),
  }
}

const presentItem = (row: ItemRow): OrderItem => ({
  id: row.id,
  name: row.name,
  quantity: row.quantity,
  unitCount: row.unit_count,
  weightG: row.weight_g === null ? null : Number(row.weight_g),
  worth: row.worth === null ? null : Number(row.worth),
  note: row.note,
  deliveredQuantity: row.delivered_quantity,
  refusedReason: row.refused_reason,
})

export const presentInsurance = ({ services }: Pick<Context, 'services'>, row: InsuranceRow): OrderInsurance => ({
  id: row.id,
  planName: row.plan.name,
  insurer: row.plan.insurer,
  worth: Number(row.worth),
  premium: Number(row.premium),
  currency: row.currency,
  state: row.state as InsuranceState,
  policyNumber: row.policy_number,
  validFrom: iso(row.valid_from),
  validTo: iso(row.valid_to),
  hasCertificate: row.certificate_key !== null,
  isAsked: services.insurer !== null,
  reason: row.void_reason,
  requestedAt: row.requested_at.toISOString(),
})

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
