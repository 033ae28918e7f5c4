import { isDeepStrictEqual } from 'node:util'
import { Budget } from '@isotherm/contract/record-budget.ts'
import type { ShipmentChange } from '@isotherm/contract/shipment-calls.ts'
import { findCompany } from '../../core/company/company.ts'
import { type ShipmentActContext, shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { updateShipment } from '../../core/shipments/acts/act-queries.ts'
import { cancelShipment, completeShipment } from '../../core/shipments/acts/end-shipment.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import { refuseOver } from '../../core/shipments/acts/refusals.ts'
import { startShipment } from '../../core/shipments/acts/start-shipment.ts'
import { endOf } from '../../core/shipments/ends.ts'
import { productsOfRow } from '../../core/shipments/products.ts'
import { legsOf, lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { Faults } from '../../platform/errors/faults.ts'
import { auditSnapshot } from './audit-facts.ts'
import { changeDevices, lockForEdit } from './change-devices.ts'
import { changeLegs } from './change-legs.ts'
import { findEnd, findPartner } from './check-queries.ts'
import { goodsColumns } from './draft-goods.ts'
import { dayOf, leavesLongBefore } from './draft-legs.ts'
import { orTaken } from './taken.ts'

/**
 * Edits a shipment, or moves it to another state. Throws NOT_FOUND, CHANGED_MEANWHILE, SHIPMENT_OVER, VALIDATION with every fault of its
 * fields, or what starting, completing and cancelling throw.
 */
export async function changeShipment(ctx: Context, id: string, change: ShipmentChange): Promise<void> {
  const acting = shipmentActContext(ctx)
  const shipment = await lockShipment(ctx, id)
  const { version, state, at, reason, ...fields } = change
  if (version !== undefined)
    refuseOutdated({ name: showShipmentNumber(shipment.number), version: shipment.version }, version)
  if (state === undefined) return edit(ctx, acting, shipment, fields)
  const told = { at: at === undefined ? undefined : new Date(at), reason }
  if (state === 'ongoing') await startShipment(acting, shipment, told)
  else if (state === 'completed') await completeShipment(acting, shipment, told)
  else await cancelShipment(acting, shipment, told)
}

type Fields = Omit<ShipmentChange, 'version' | 'state' | 'at' | 'reason'>

const keptGoods = (shipment: ShipmentRow) => ({
  ...{ products: productsOfRow(shipment), incoterm: shipment.incoterm, incotermPlace: shipment.incoterm_place },
})

/** Fields that may be written when all is over. */
const afterwards = ['ppecb', 'note']

async function edit(ctx: Context, acting: ShipmentActContext, shipment: ShipmentRow, fields: Fields): Promise<void> {
  const { legs, devices, ppecb, originId, destinationId, partnerId, ...goods } = fields
  if (Object.keys(fields).some((name) => !afterwards.includes(name))) refuseOver(acting, shipment)
  const faults = new Faults()
  const columns = {
    ...goodsColumns(goods, keptGoods(shipment), faults),
    ...(await endColumns(ctx, shipment, { originId, destinationId }, faults)),
    ...(await partnerColumns(ctx, shipment, partnerId, faults)),
    ...(ppecb !== undefined && { ppecb: ppecb && JSON.stringify(ppecb) }),
  }
  if (fields.budget !== undefined && shipment.state !== 'pending') refuseBudget(shipment, fields.budget, faults)
  const origin = endOf('origin' in columns ? JSON.parse(String(columns.origin)) : shipment.origin)
  const destination = endOf('destination' in columns ? JSON.parse(String(columns.destination)) : shipment.destination)
  const companyZone = (await findCompany(ctx.tx, ctx.companyId)).timezone
  const loadingOn = goods.loadingOn === undefined ? shipment.loading_on : dayOf(goods.loadingOn)
  const journey = { origin, destination, loadingOn, companyZone }
  const legsBefore = await legsOf(ctx, [shipment.id])
  if (goods.loadingOn !== undefined && !legs && legsBefore.some(({ etd }) => leavesLongBefore(etd, loadingOn)))
    faults.add('loadingOn', 'rule.departureBeforeLoading')
  const changes = [
    ...(legs ? [await changeLegs(acting, shipment, legs, journey, faults)] : []),
    ...(devices ? [await changeDevices(ctx, acting, shipment, devices, faults)] : []),
  ]
  faults.throwIfAny()
  if (legs || devices) await lockForEdit(acting, shipment, devices ?? [])
  const changed = await orTaken(updateShipment(ctx, shipment.id, columns, ctx.clock.now()))
  for (const write of changes) await write()
  await noteShipmentEvent(acting, shipment, { kind: 'changed', detail: { fields: Object.keys(fields) } })
  ctx.audit({
    action: 'shipments.changed',
    target: shipmentTarget(shipment),
    before: auditSnapshot(shipment, legsBefore),
    after: { ...auditSnapshot(changed, await legsOf(ctx, [shipment.id])), fields: Object.keys(fields) },
  })
}

/** Under way the budget is that of the record, which stays. */
function refuseBudget(shipment: ShipmentRow, budget: Budget | null, faults: Faults): void {
  if (!isDeepStrictEqual(budget, Budget.nullable().parse(shipment.budget))) faults.add('budget', 'rule.underWay')
}

/** Under way the ends stay: fences and links tell of them. */
async function endColumns(
  ctx: Context,
  shipment: ShipmentRow,
  { originId, destinationId }: Pick<Fields, 'originId' | 'destinationId'>,
  faults: Faults,
) {
  const of = async (kind: 'origin' | 'destination', id: string | undefined) => {
    const kept = kind === 'origin' ? shipment.origin_id : shipment.destination_id
    if (id === undefined || id === kept) return {}
    if (shipment.state !== 'pending') faults.add(`${kind}Id`, 'rule.underWay')
    const end = await findEnd(ctx, kind, id)
    if (!end) faults.add(`${kind}Id`, 'rule.unknownItem')
    return end ? { [`${kind}_id`]: id, [kind]: JSON.stringify(end) } : {}
  }
  return { ...(await of('origin', originId)), ...(await of('destination', destinationId)) } as {
    origin_id?: string
    origin?: string
    destination_id?: string
    destination?: string
  }
}

/** A partner that stays may have been deleted meanwhile: the shipment keeps its copy. */
async function partnerColumns(ctx: Context, shipment: ShipmentRow, id: string | null | undefined, faults: Faults) {
  if (id === undefined || id === shipment.partner_id) return {}
  if (id === null) return { partner_id: null, partner: null }
  const partner = await findPartner(ctx, id)
  if (!partner) faults.add('partnerId', 'rule.unknownItem')
  return { partner_id: id, partner: JSON.stringify(partner) }
}
