import type { StopConditions } from '@isotherm/contract/order-links.ts'
import { z } from 'zod'
import { type ActContext, acting } from '../../core/orders/acts/act-context.ts'
import { announceOrder } from '../../core/orders/announce-order.ts'
import { type ConditionSources, conditionsOfDevices } from '../../core/orders/conditions.ts'
import { noteEvent } from '../../core/orders/events.ts'
import { type BoundVerdict, verdictOfRow } from '../../core/orders/hand-over.ts'
import {
  type DoubtfulHandOver,
  findHandOver,
  type HandOverRow,
  noteReadings,
  overtakenHandOvers,
  voidHandOver,
} from '../../core/orders/hand-over-queries.ts'
import { asViewer } from '../../core/orders/link-context.ts'
import { ensureLink, mailReceiver } from '../../core/orders/links.ts'
import { findReceiver, lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { isSameVerdict } from '../../domain/same-verdict.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { target } from './link-verbs.ts'

const hourMs = 3_600_000
/** Hand-overs of so long ago are looked at every five minutes, older ones every hour, and those of before the last never. */
const routineMs = 6 * hourMs
const amendMs = 7 * 24 * hourMs
/** A reading is on its way into the database for less than this. */
const marginS = 60

/** Makes hand-overs void whose readings say something else now than what somebody signed for, and asks the receiver again. */
const sweep = (name: string, cron: string, spanMs: number, margin: number, sources: ConditionSources): Job<object> => ({
  name,
  payload: z.strictObject({}),
  retryLimit: 1,
  cron,
  async run(services) {
    const since = new Date(services.clock.now().getTime() - spanMs)
    const doubtful = await asPipeline(services.pool, ({ tx }) => overtakenHandOvers(tx, since, margin))
    const failed = ({ companyId, id }: DoubtfulHandOver, err: unknown) =>
      services.log.error({ err, companyId, handOver: id }, 'a hand-over could not be judged again')
    await eachApart(doubtful, { failed }, (one) => judge(services, sources, one))
  },
})

export const sweepHandOvers = (sources: ConditionSources): Job<object>[] => [
  sweep('sweep-hand-overs', '*/5 * * * *', routineMs, marginS, sources),
  sweep('sweep-older-hand-overs', '37 * * * *', amendMs, 0, sources),
]

/** Whether the verdict of a hand-over stands with the readings as they are now. Private devices count as they did when it was signed. */
async function stands(
  ctx: ActContext,
  sources: ConditionSources,
  order: OrderRow,
  row: HandOverRow,
  { conditions, devices }: Pick<BoundVerdict, 'devices'> & { conditions: StopConditions },
): Promise<boolean> {
  const now = await conditionsOfDevices(asViewer(ctx, { shows_private: true }), sources, {
    ...{ order, receiver: await findReceiver(ctx, order.id, row.receiver_id), seen: devices },
    ...{ from: new Date(conditions.from), to: new Date(conditions.to), isWhole: conditions.budget !== null },
  })
  return isSameVerdict(conditions, now.shown.conditions)
}

async function judge(services: Services, sources: ConditionSources, { companyId, orderId, id }: DoubtfulHandOver) {
  const by = { source: 'job' as const, name: null }
  const actor = { kind: 'system' as const, name: 'orders' }
  await acting(services, { companyId, by, actor, seesPrivate: false }, async (ctx) => {
    const order = await lockOrder(ctx, orderId)
    const row = await findHandOver(ctx, id)
    const { conditions, devices, readings } = row ? verdictOfRow(row) : {}
    if (!row || !conditions || !devices) return
    const stretch = { devices, from: new Date(conditions.from), to: new Date(conditions.to) }
    const found = await sources.readingsHash(ctx, stretch)
    if (found === (row.readings_now ?? readings)) return
    const at = ctx.clock.now()
    if (await stands(ctx, sources, order, row, { conditions, devices }))
      return noteReadings(ctx, id, { at, readings: found })
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
