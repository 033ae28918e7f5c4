import type { LiveDevice } from '@isotherm/contract/live.ts'
import type { Context } from '../../platform/context.ts'

type Announcing = Pick<Context, 'companyId' | 'afterCommit' | 'services'>

/** Tells the company's browsers, once the transaction has committed, that a device is to be fetched again. */
export function announceDevice(ctx: Announcing, id: number, change: LiveDevice['change'], isPrivate: boolean): void {
  const data: LiveDevice = { deviceId: String(id), change }
  const event = { companyId: ctx.companyId, kind: 'device' as const, deviceId: id, private: isPrivate, data }
  ctx.afterCommit(() => ctx.services.bus.publish(event))
}
