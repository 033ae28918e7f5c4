import { insertTest } from '../../core/alarms/alarm-queries.ts'
import type { Context } from '../../platform/context.ts'
import { target } from './present.ts'
import { loadAlarm, lockAlarm } from './queries.ts'

const againMs = 60_000

/**
 * Pushes a test through the alarm's real channels; returns how many messages it makes. A second click within a minute is the same
 * test: it is neither sent nor paid for twice. Throws NOT_FOUND.
 */
export async function pushTest(ctx: Context, id: string): Promise<number> {
  const alarm = await loadAlarm(ctx, id)
  const now = ctx.clock.now()
  await lockAlarm(ctx, id)
  await insertTest(ctx, id, now, new Date(now.getTime() - againMs))
  ctx.audit({ action: 'alarms.tested', target: target(alarm) })
  return alarm.recipients.reduce((sum, { tier, channels }) => sum + (tier === 1 ? channels.length : 0), 0)
}
