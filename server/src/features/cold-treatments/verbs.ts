import { type ChooseProtocol, treatmentLimits, type VerifyGap } from '@isotherm/contract/cold-treatments.ts'
import { lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { asCarried, protocolOf } from '../../domain/cold-protocols.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { carriageOfShipment } from './carriage.ts'
import { tellTreatment } from './jobs.ts'
import {
  allowsUnverified,
  deleteTreatment,
  keepClock,
  lockTreatment,
  probesOf,
  putTreatment,
  setVerifiedGaps,
  type TreatmentRow,
} from './queries.ts'
import { workOut } from './work-out.ts'

export const target = ({ id, number }: Pick<ShipmentRow, 'id' | 'number'>) => ({
  ...{ kind: 'shipment', id, name: showShipmentNumber(number) },
})

const named = (shipment: ShipmentRow, { version }: TreatmentRow) => ({
  name: showShipmentNumber(shipment.number),
  version,
})

/** Works out the treatment of a locked shipment at once, for the answer; what is new is told by a job. Throws NOT_FOUND where there is none. */
export async function refresh(ctx: Context, shipment: ShipmentRow): Promise<void> {
  const row = orNotFound(await lockTreatment(ctx, shipment.id))
  const now = ctx.clock.now()
  const { clock } = await workOut(ctx, shipment, row, now)
  await keepClock(ctx, shipment.id, { clock, told: row.told_state, now })
  await ctx.enqueue(tellTreatment, { companyId: ctx.companyId, shipmentId: shipment.id })
}

/**
 * Chooses the protocol of a shipment, as it is now: a later edition changes nothing. What officials have verified stays. Throws NOT_FOUND,
 * PROTOCOL_UNVERIFIED, TREATMENT_NEEDS_PROBES or CHANGED_MEANWHILE.
 */
export async function chooseProtocol(ctx: Context, id: string, { protocolId, version }: ChooseProtocol): Promise<void> {
  const shipment = await lockShipment(ctx, id)
  const protocol = orNotFound(protocolOf(protocolId))
  if (!protocol.verified && !(await allowsUnverified(ctx))) throw new AppError('PROTOCOL_UNVERIFIED')
  const { length } = await probesOf(ctx, id)
  const { probes: needed } = asCarried(protocol, await carriageOfShipment(ctx, id))
  if (length < needed) throw new AppError('TREATMENT_NEEDS_PROBES', { needed, placed: length })
  const before = await lockTreatment(ctx, id)
  const choice = { shipmentId: id, protocol, by: ctx.person.fullname, now: ctx.clock.now() }
  if (!(await putTreatment(ctx, choice, version)))
    throw new AppError('CHANGED_MEANWHILE', { name: showShipmentNumber(shipment.number) })
  await refresh(ctx, shipment)
  ctx.audit({
    action: 'coldTreatments.chosen',
    target: target(shipment),
    ...(before && { before: { protocol: before.protocol_id } }),
    after: { protocol: protocol.id },
  })
}

/** Takes the treatment off a shipment. Throws NOT_FOUND. */
export async function removeTreatment(ctx: Context, id: string): Promise<void> {
  const shipment = await lockShipment(ctx, id)
  const before = orNotFound(await lockTreatment(ctx, id))
  await deleteTreatment(ctx, id)
  ctx.audit({
    action: 'coldTreatments.removed',
    target: target(shipment),
    before: { protocol: before.protocol_id },
  })
}

/**
 * Counts time without readings by the word of an official. Throws NOT_FOUND, CHANGED_MEANWHILE, TREATMENT_NO_GAP where the clock has no gap
 * in that time, or TREATMENT_FULL.
 */
export async function verifyGap(ctx: Context, id: string, { version, ...gap }: VerifyGap): Promise<void> {
  const shipment = await lockShipment(ctx, id)
  const row = orNotFound(await lockTreatment(ctx, id))
  refuseOutdated(named(shipment, row), version)
  const [from, to] = [Date.parse(gap.from), Date.parse(gap.to)]
  const now = ctx.clock.now()
  const { clock } = await workOut(ctx, shipment, row, now)
  const isGap = clock.unproven.some(
    (one) => one.reason === 'gap' && Date.parse(one.from) < to && from < Date.parse(one.to),
  )
  if (!isGap || to > now.getTime()) throw new AppError('TREATMENT_NO_GAP')
  if (row.verified_gaps.length >= treatmentLimits.verifiedGaps) throw new AppError('TREATMENT_FULL')
  const noted = { ...gap, notedAt: now.toISOString(), notedByName: ctx.person.fullname }
  await setVerifiedGaps(ctx, id, [...row.verified_gaps, noted], now)
  await refresh(ctx, shipment)
  ctx.audit({ action: 'coldTreatments.gapVerified', target: target(shipment), after: gap })
}
