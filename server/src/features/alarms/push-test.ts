import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { loadAlarm } from './save-alarm.ts'

const againMs = 60_000

/**
 * Pushes a test through the alarm's real channels. A second click within a minute is the same test: it is neither sent nor
 * paid for twice.
 */
export async function pushTest(ctx: Context, id: string): Promise<{ messages: number }> {
  const alarm = await loadAlarm(ctx, id)
  const now = ctx.clock.now()
  await sql`select id from alarms where company_id = ${ctx.companyId} and id = ${id} for no key update`.execute(ctx.tx)
  const { rows } = await sql`select from alarm_events where company_id = ${ctx.companyId} and alarm_id = ${id}
    and kind = 'test' and at > ${new Date(now.getTime() - againMs)}`.execute(ctx.tx)
  if (rows.length === 0)
    await ctx.tx
      .insertInto('alarm_events')
      .values({ company_id: ctx.companyId, kind: 'test', alarm_id: id, at: now, by_user: ctx.person.id })
      .execute()
  ctx.audit({ action: 'alarms.tested', target: { kind: 'alarm', id, name: alarm.name } })
  return { messages: alarm.recipients.reduce((sum, { channels }) => sum + channels.length, 0) }
}
