import {
  type AcknowledgeLink,
  consumeAcknowledgeLink,
  findAcknowledgeLink,
} from '../../core/alarms/acknowledge-links.ts'
import { byLink } from '../../core/people/by-link.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { handleTriggers } from './handle-triggers.ts'
import { mayHandle } from './policy.ts'
import { findTriggers, type TriggerRow } from './trigger-queries.ts'

/** Triggers as the person of a link sees them. */
export interface LinkedRows {
  ctx: Context
  rows: TriggerRow[]
}

/**
 * The triggers that a link acknowledges, while it can be used. Looking does not use it up. Throws LINK_INVALID alike for a link that
 * is unknown, over or used, and where its person is gone or may not acknowledge any of them by now.
 */
export const checkLink = (ctx: PublicContext, token: string): Promise<LinkedRows> =>
  withLink(ctx, token, async (person, link) => ({ ctx: person, rows: await findAllowed(person, link) }))

/** Acknowledges them and uses the link up: of two at once one wins, the other gets LINK_INVALID. Throws it as `checkLink` does. */
export const acknowledgeByLink = (ctx: PublicContext, token: string): Promise<LinkedRows> =>
  withLink(ctx, token, async (person, link) => {
    const allowed = (await findAllowed(person, link)).map(({ id }) => id)
    if (!(await consumeAcknowledgeLink(person, token, ctx.clock.now()))) throw new AppError('LINK_INVALID')
    await handleTriggers(person, allowed, { action: 'acknowledge', isByLink: true })
    return { ctx: person, rows: await findTriggers(person, allowed) }
  })

async function withLink(
  ctx: PublicContext,
  token: string,
  work: (person: Context, link: AcknowledgeLink) => Promise<LinkedRows>,
): Promise<LinkedRows> {
  const link = await asPipeline(ctx.services.pool, ({ tx }) => findAcknowledgeLink(tx, token, ctx.clock.now()))
  const found = link && (await byLink(ctx, link, (person) => work(person, link)))
  if (!found) throw new AppError('LINK_INVALID')
  return found
}

/** The triggers of a link that its person sees and may acknowledge now. Throws LINK_INVALID where there is none. */
async function findAllowed(person: Context, { triggerIds, createdAt }: AcknowledgeLink): Promise<TriggerRow[]> {
  const sees = person.can('alarms.view') && person.can('devices.view')
  const rows = sees ? await findTriggers(person, triggerIds) : []
  // A trigger that fired again since has a message, and a link, of its own.
  const allowed = rows.filter(
    (row) => mayHandle(person, row, 'acknowledge') && (row.refired_at === null || row.refired_at <= createdAt),
  )
  if (allowed.length === 0) throw new AppError('LINK_INVALID')
  return allowed
}
