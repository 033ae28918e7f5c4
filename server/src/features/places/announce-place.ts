import type { LivePlace } from '@isotherm/contract/live.ts'
import type { Context } from '../../platform/http/context.ts'

/** Tells the other browsers, once it is committed, that a place is not what they show. */
export function announcePlace(ctx: Context, kind: LivePlace['kind'], id: string, change: LivePlace['change']): void {
  const data: LivePlace = { kind, id, change }
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: ctx.companyId, kind: 'place', data }))
}
