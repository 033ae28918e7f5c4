import type { ShipmentEvent } from '@isotherm/contract/shipments.ts'
import type { Context } from '../../../platform/context.ts'
import { seesPrivate } from '../../visibility/visibility.ts'

/** The author of a shipment's events; `userId` is of a person who was logged in. */
export interface ShipmentAuthor {
  source: ShipmentEvent['source']
  name: string | null
  userId?: string | null
}

/** The context of an act on a shipment: of a member, or of a sweep. */
export type ShipmentActContext = Pick<
  Context,
  'tx' | 'companyId' | 'clock' | 'services' | 'audit' | 'enqueue' | 'afterCommit' | 'locale'
> & {
  by: ShipmentAuthor
  /** Whether refusals may name devices that are private. */
  seesPrivate: boolean
}

export const shipmentActContext = (ctx: Context): Context & ShipmentActContext => ({
  ...ctx,
  by: { source: 'person', name: ctx.person.fullname, userId: ctx.person.id },
  seesPrivate: seesPrivate(ctx.person),
})
