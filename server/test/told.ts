import { deliver, type OutboundMessage } from '../src/pipeline/notify/deliver.ts'
import { dispatch } from '../src/pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../src/pipeline/notify/lifecycle.ts'
import type { TestApp } from './harness.ts'

/** Writes who hears of what waits, and sends what is due; returns the messages that were sent, by whichever channel. */
export async function tellAll(t: TestApp): Promise<OutboundMessage[]> {
  const sent: OutboundMessage[] = []
  const sender = {
    send: async (message: OutboundMessage) => {
      sent.push(message)
      return { ok: true, provider: 'test', providerId: null } as const
    },
  }
  const tools = {
    ...{ pool: t.pool, bus: t.services.bus, log: t.services.log, now: () => t.clock.now() },
    ...{ nearestTownName: () => 'Lagos', publicUrl: 'https://cold.test' },
    senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
  }
  await applyDueSteps(t.pool, t.clock.now())
  while ((await dispatch(tools)) > 0);
  while ((await deliver(tools)) > 0);
  return sent
}
