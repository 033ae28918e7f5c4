import { Counter, Gauge, type Registry } from 'prom-client'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const waitingSql = `
select channel, count(*)::int as n, coalesce(extract(epoch from $1::timestamptz - min(next_at)), 0)::float8 as late
from deliveries where state in ('queued', 'sending', 'held') group by 1`
const eventsSql = `
select count(*)::int as n, coalesce(extract(epoch from $1::timestamptz - min(at)), 0)::float8 as late from (
  select at from alarm_events where taken_at is null union all select recorded_at from place_crossings where taken_at is null) e`

interface Waiting {
  n: number
  late: number
}

/** Counts a message by what became of it. */
export type CountMessage = (channel: string, outcome: 'accepted' | 'failed' | 'skipped' | 'again') => void

/** The notifier's metrics: what waits, by how much the oldest is late, and what became of messages. Asked when scraped. */
export function measureNotifier(
  registry: Registry,
  pool: Pool,
  channels: readonly string[],
  now: () => Date,
): CountMessage {
  const registers = [registry]
  const labelNames = ['channel'] as const
  // Both gauges of a pair ask in the same scrape: they share the answer.
  const waiting = shared(() =>
    asPipeline(
      pool,
      async ({ client }) => (await client.query<Waiting & { channel: string }>(waitingSql, [now()])).rows,
    ),
  )
  const events = shared(() =>
    asPipeline(pool, async ({ client }) => (await client.query<Waiting>(eventsSql, [now()])).rows[0]),
  )
  const byChannel = (name: string, help: string, of: (found: Waiting) => number) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const rows = await waiting()
        for (const channel of channels) {
          const found = rows.find((row) => row.channel === channel)
          this.set({ channel }, found ? of(found) : 0)
        }
      },
    })
  byChannel('notify_messages_waiting', 'Messages that are not settled, by channel', ({ n }) => n)
  byChannel(
    'notify_oldest_due_seconds',
    'By how much the oldest waiting message is late, by channel; below 0: none is due',
    ({ late }) => late,
  )
  const ofEvents = (name: string, help: string, of: (found: Waiting) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await events()
        this.set(found ? of(found) : 0)
      },
    })
  ofEvents('notify_events_waiting', 'Events that nobody was told of yet', ({ n }) => n)
  ofEvents('notify_oldest_event_seconds', 'Age of the oldest event that nobody was told of yet', ({ late }) => late)
  const messages = new Counter({
    name: 'notify_messages_total',
    help: 'Tries to send messages, by channel and outcome; again: it will be tried again',
    labelNames: ['channel', 'outcome'] as const,
    registers,
  })
  return (channel, outcome) => messages.inc({ channel, outcome })
}

function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}
