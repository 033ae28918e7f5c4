import { z } from 'zod'
import { acting } from '../../core/orders/acts/act-context.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import type { ConditionSources } from '../../core/orders/conditions.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import {
  type DoubtfulHandOver,
  findHandOver,
  overtakenHandOvers,
  voidHandOver,
} from '../../core/orders/hand-over-queries.ts'
import { ensureLink, mailReceiver } from '../../core/orders/links.ts'
import { findReceiver, lockOrder } from '../../core/orders/order-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job, Services } from '../../platform/services.ts'
import { target } from './link-verbs.ts'

const hourMs = 3_600_000
/** Hand-overs of so long ago are looked at every five minutes, older ones every hour, and those of before the last never. */
const routineMs = 6 * hourMs
const amendMs = 7 * 24 * hourMs
/** A reading is on its way into the database for less than this. */
const marginS = 60

type ReadingsHash = ConditionSources['readingsHash']

/** Makes hand-overs void whose readings are not those any more that somebody signed for, and asks the receiver again. */
const sweep = (
  name: string,
  cron: string,
  spanMs: number,
  margin: number,
  readingsHash: ReadingsHash,
): Job<object> => ({
  name,
  payload: z.strictObject({}),
  retryLimit: 1,
  cron,
  async run(services) {
    const since = new Date(services.clock.now().getTime() - spanMs)
    const doubtful = await asPipeline(services.pool, ({ tx }) => overtakenHandOvers(tx, since, margin))
    for (const one of doubtful) await judge(services, readingsHash, one)
  },
})

export const sweepHandOvers = (readingsHash: ReadingsHash): Job<object>[] => [
  sweep('sweep-hand-overs', '*/5 * * * *', routineMs, marginS, readingsHash),
  sweep('sweep-older-hand-overs', '37 * * * *', amendMs, 0, readingsHash),
]

async function judge(services: Services, readingsHash: ReadingsHash, { companyId, orderId, id }: DoubtfulHandOver) {
  const by = { source: 'job' as const, name: null }
  const actor = { kind: 'system' as const, name: 'orders' }
  await acting(services, { companyId, by, actor, seesPrivate: false }, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    const row = await findHandOver(ctx, id)
    const { conditions, devices, readings } = row ? verdictOfRow(row) : {}
    if (!row || !conditions || !devices) return
    const stretch = { devices, from: new Date(conditions.from), to: new Date(conditions.to) }
    if ((await readingsHash(ctx, stretch)) === readings) return
    const at = ctx.clock.now()
    if (!(await voidHandOver(ctx, id, { at, reason: 'readings' }))) return
    const receiver = await findReceiver(ctx, orderId, row.receiver_id)
    const event = { kind: 'handOverVoid' as const, at, zone: receiver.zone, by, receiverId: receiver.id }
    await noteEvent(ctx, orderId, { ...event, detail: { contentSha256: row.content_sha256.toString('hex') } })
    ctx.audit({
      action: 'orders.handOverVoid',
      target: target(order),
      before: { handOver: id, receiver: receiver.name },
    })
    await ensureLink(ctx, order, { orderId, receiverId: receiver.id })
    await mailReceiver(ctx, receiver, 'handOverVoid')
    announceOrder(ctx, orderId)
  })
}
