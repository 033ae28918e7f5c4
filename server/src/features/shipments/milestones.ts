import type { GivenMilestone, MilestoneWithdrawal } from '@isotherm/contract/shipment-calls.ts'
import { isAtLegEnd } from '@isotherm/contract/shipments.ts'
import type { z } from 'zod'
import { shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { noteMilestone, placeAt } from '../../core/shipments/acts/milestone.ts'
import { withdrawMilestone } from '../../core/shipments/acts/withdraw-milestone.ts'
import { legsOf, lockShipment } from '../../core/shipments/shipment-queries.ts'
import { timeAtPlace } from '../../domain/place-time.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/** Notes a milestone that a person tells. Throws NOT_FOUND, VALIDATION, and what `noteMilestone` throws. */
export async function tellMilestone(ctx: Context, shipmentId: string, given: GivenMilestone): Promise<void> {
  const { kind, legId = null, at, timezone, portCode = null, placeName = null, note = null, corrects = null } = given
  const shipment = await lockShipment(ctx, shipmentId)
  const leg = (await legsOf(ctx, [shipmentId])).find(({ id }) => id === legId)
  const zone = timezone ?? placeAt(shipment, leg ?? null, isAtLegEnd(kind, Boolean(leg?.atd))).zone
  const occurredAt = timeAtPlace(at, zone)
  if (occurredAt === null) throw invalidField('at', 'rule.localTimeGap', { zone })
  await noteMilestone(shipmentActContext(ctx), shipment, {
    ...{ kind, legId, occurredAt, portCode, placeName, corrects, detail: note === null ? {} : { note } },
    ...(timezone && { zone: timezone }),
  })
}

/** Withdraws a milestone that a person says never happened. Throws NOT_FOUND, and what `withdrawMilestone` throws. */
export async function takeMilestoneBack(
  ctx: Context,
  shipmentId: string,
  given: z.infer<typeof MilestoneWithdrawal>,
): Promise<void> {
  await withdrawMilestone(shipmentActContext(ctx), await lockShipment(ctx, shipmentId), given)
}
